-- The store, whole. Two halves without a foreign key between them: a dry run writes the journal
-- half to the real file and the record half to a temporary copy.
-- Times are UTC text that sorts; money is whole micro-dollars; '' and 0 say "none".

PRAGMA application_id = 0x6861726e;  -- 'harn': no other database is ever taken for a store

-- == The journal half: what was asked, answered and paid ============================================

CREATE TABLE runs (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  command    TEXT    NOT NULL,
  dry        INTEGER NOT NULL CHECK (dry IN (0, 1)),
  started_at TEXT    NOT NULL CHECK (started_at LIKE '____-__-__T__:__:__.______Z'),
  ended_at   TEXT    NOT NULL CHECK (ended_at = '' OR ended_at LIKE '____-__-__T__:__:__.______Z'),
  exit_code  INTEGER          CHECK ((exit_code IS NULL) = (ended_at = '')),
  reports    TEXT    NOT NULL CHECK (json_valid(reports))
) STRICT;
CREATE INDEX runs_by_time ON runs (started_at);

-- One question to an agent. The UNIQUE key is why nothing is paid twice.
CREATE TABLE exchanges (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  run        TEXT    NOT NULL REFERENCES runs (id),
  repo       INTEGER NOT NULL,
  item       INTEGER NOT NULL CHECK (item >= 0),
  branch     TEXT    NOT NULL,
  kind       TEXT    NOT NULL CHECK (kind IN (
    'triage', 'implement', 'review', 'close', 'respond', 'fix_own', 'fix_check', 'update', 'rebut',
    'same', 'adjudicate', 'screen', 'checkin', 'checkin_check', 'checkin_fix')),
  agent      TEXT    NOT NULL CHECK (agent <> ''),
  round      INTEGER NOT NULL CHECK (round >= 0),
  try        INTEGER NOT NULL CHECK (try >= 1),
  provider   TEXT    NOT NULL,
  model      TEXT    NOT NULL,
  effort     TEXT    NOT NULL,
  head       TEXT    NOT NULL,
  base       TEXT    NOT NULL,
  decision   TEXT    NOT NULL,
  brief      TEXT    NOT NULL CHECK (json_valid(brief)),  -- without system and prompt, see bodies
  created_at TEXT    NOT NULL CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
  ended_at   TEXT    NOT NULL CHECK (ended_at = '' OR ended_at LIKE '____-__-__T__:__:__.______Z'),
  result     TEXT    NOT NULL CHECK ((result = '') = (ended_at = '') AND result IN (
    '', 'replied', 'truncated', 'refused', 'invalid', 'endless', 'overflow', 'unreachable',
    'unusable', 'out_of_budget', 'superseded')),
  reason     TEXT    NOT NULL,
  not_before TEXT    NOT NULL CHECK (not_before = '' OR not_before LIKE '____-__-__T__:__:__.______Z'),
  UNIQUE (repo, item, branch, kind, agent, round, try)
) STRICT;
CREATE INDEX exchanges_by_run ON exchanges (run);

-- What happened in an exchange, append-only. What was said stands in bodies, which alone may be
-- forgotten, once the exchange has ended.
CREATE TABLE journal (
  seq      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  exchange TEXT    NOT NULL REFERENCES exchanges (id),
  row      TEXT    NOT NULL CHECK (row IN (
    'brief', 'asked', 'answered', 'failed', 'started', 'done', 'repair', 'nudged', 'replied', 'ended')),
  n        INTEGER NOT NULL CHECK (n >= 0),
  call     TEXT    NOT NULL,
  at       TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z')
) STRICT;
CREATE INDEX journal_by_exchange ON journal (exchange, seq);
CREATE UNIQUE INDEX journal_begins_once ON journal (exchange) WHERE row = 'brief';
CREATE UNIQUE INDEX journal_ends_once ON journal (exchange) WHERE row = 'ended';

CREATE TABLE bodies (
  seq  INTEGER NOT NULL PRIMARY KEY REFERENCES journal (seq),
  body TEXT    NOT NULL CHECK (json_valid(body))
) STRICT;

-- Money held before a request is sent, and what it came to. An open one of a dead owner is spent.
CREATE TABLE reserves (
  id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  exchange    TEXT    NOT NULL REFERENCES exchanges (id),
  n           INTEGER NOT NULL,
  repo        INTEGER NOT NULL,
  item        INTEGER NOT NULL,
  day         TEXT    NOT NULL CHECK (day LIKE '____-__-__'),
  owner       TEXT    NOT NULL CHECK (owner <> ''),
  at          TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  bound       INTEGER NOT NULL CHECK (bound >= 0),
  state       TEXT    NOT NULL CHECK (state IN ('open', 'spent')),
  spent       INTEGER NOT NULL CHECK (spent >= 0 AND (state = 'spent' OR spent = 0)),
  usage_known INTEGER NOT NULL CHECK (usage_known IN (0, 1)),
  input       INTEGER NOT NULL CHECK (input >= 0),
  cache_read  INTEGER NOT NULL CHECK (cache_read >= 0),
  cache_write INTEGER NOT NULL CHECK (cache_write >= 0),
  output      INTEGER NOT NULL CHECK (output >= 0)
) STRICT;
CREATE INDEX reserves_by_exchange ON reserves (exchange, state, owner, bound, spent);
CREATE INDEX reserves_by_item ON reserves (repo, item, state, owner, bound, spent);
CREATE INDEX reserves_by_day ON reserves (day, repo, state, owner, bound, spent);
CREATE INDEX reserves_open ON reserves (owner) WHERE state = 'open';

-- == The record half: what is true of repositories, items and writes ================================

CREATE TABLE repos (
  id             INTEGER NOT NULL PRIMARY KEY,  -- the forge's own, survives renames
  host           TEXT    NOT NULL,
  owner          TEXT    NOT NULL,
  name           TEXT    NOT NULL,
  default_branch TEXT    NOT NULL,
  private        INTEGER NOT NULL CHECK (private IN (0, 1)),
  archived       INTEGER NOT NULL CHECK (archived IN (0, 1)),
  clone_url      TEXT    NOT NULL,
  allow_squash   INTEGER NOT NULL CHECK (allow_squash IN (0, 1)),
  allow_merge    INTEGER NOT NULL CHECK (allow_merge IN (0, 1)),
  allow_rebase   INTEGER NOT NULL CHECK (allow_rebase IN (0, 1))
) STRICT;

-- Issues and pull requests that a run met. `entry` and `generation` are of issues we filed ourselves.
CREATE TABLE items (
  repo       INTEGER NOT NULL,
  number     INTEGER NOT NULL CHECK (number > 0),
  title      TEXT    NOT NULL,
  entry      TEXT    NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 0),
  PRIMARY KEY (repo, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE pulls (
  repo           INTEGER NOT NULL,
  number         INTEGER NOT NULL CHECK (number > 0),
  item           INTEGER NOT NULL CHECK (item > 0),
  branch         TEXT    NOT NULL,
  base           TEXT    NOT NULL,
  origin         TEXT    NOT NULL CHECK (origin IN ('ours', 'adopted')),
  attempt        INTEGER NOT NULL CHECK (attempt >= 1),
  state          TEXT    NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
  closed_by      TEXT    NOT NULL,
  status_comment INTEGER NOT NULL,
  PRIMARY KEY (repo, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX pulls_by_item ON pulls (repo, item);
CREATE INDEX pulls_open ON pulls (repo) WHERE state = 'open';

CREATE TABLE commits (
  seq      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  repo     INTEGER NOT NULL,
  sha      TEXT    NOT NULL CHECK (sha <> ''),
  parent   TEXT    NOT NULL,
  item     INTEGER NOT NULL,
  branch   TEXT    NOT NULL,
  agent    TEXT    NOT NULL,
  exchange TEXT    NOT NULL,
  at       TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  UNIQUE (repo, sha)
) STRICT;
CREATE INDEX commits_by_item ON commits (repo, item);

CREATE TABLE checks (
  repo    INTEGER NOT NULL,
  sha     TEXT    NOT NULL,
  command TEXT    NOT NULL,
  state   TEXT    NOT NULL CHECK (state IN ('green', 'unchanged', 'red', 'unrunnable', 'absent')),
  exit    INTEGER NOT NULL,
  seconds REAL    NOT NULL,
  failing TEXT    NOT NULL CHECK (json_valid(failing)),
  tail    TEXT    NOT NULL,
  PRIMARY KEY (repo, sha, command)
) STRICT;

-- Trees in which `setup` ran, by the hash of the command, the base and the lock files.
CREATE TABLE builds (
  repo  INTEGER NOT NULL,
  key   TEXT    NOT NULL CHECK (key <> ''),
  path  TEXT    NOT NULL,
  state TEXT    NOT NULL CHECK (state IN ('ready', 'failed')),
  tail  TEXT    NOT NULL,
  at    TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  PRIMARY KEY (repo, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
  id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  repo       INTEGER NOT NULL,
  issue      INTEGER NOT NULL CHECK (issue > 0),
  made_on    TEXT    NOT NULL,
  at         TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  verdict    TEXT    NOT NULL CHECK (verdict IN ('scheduled', 'declined', 'contested', 'unjudged')),
  complexity TEXT    NOT NULL CHECK (complexity IN ('s', 'm', 'l')),
  risk       TEXT    NOT NULL CHECK (risk IN ('low', 'medium', 'high')),
  depends_on TEXT    NOT NULL CHECK (json_valid(depends_on)),
  opinions   TEXT    NOT NULL CHECK (json_valid(opinions)),
  UNIQUE (repo, issue, at, made_on)
) STRICT;

CREATE TABLE approvals (
  repo      INTEGER NOT NULL,
  item      INTEGER NOT NULL CHECK (item > 0),
  text_hash TEXT    NOT NULL CHECK (text_hash <> ''),
  by        TEXT    NOT NULL CHECK (by <> ''),
  at        TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  PRIMARY KEY (repo, item, text_hash, by)
) STRICT, WITHOUT ROWID;

CREATE TABLE outcomes (
  run        TEXT    NOT NULL,
  repo       INTEGER NOT NULL,
  item       INTEGER NOT NULL,
  at         TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  slug       TEXT    NOT NULL,
  title      TEXT    NOT NULL,
  outcome    TEXT    NOT NULL CHECK (outcome IN (
    'approved', 'merged', 'declined', 'abandoned', 'contested', 'parked', 'escalated', 'no_change',
    'unjudged', 'waiting', 'waiting_for_prerequisite', 'error')),
  reason     TEXT    NOT NULL,
  pull       INTEGER NOT NULL,
  not_before TEXT    NOT NULL CHECK (not_before = '' OR not_before LIKE '____-__-__T__:__:__.______Z'),
  PRIMARY KEY (run, repo, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_by_item ON outcomes (repo, item, at);

-- -- The ledger -------------------------------------------------------------------------------------

CREATE TABLE entries (
  id          TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  repo        INTEGER NOT NULL,
  title_key   TEXT    NOT NULL CHECK (title_key <> ''),
  file        TEXT    NOT NULL,
  ordinal     INTEGER NOT NULL CHECK (ordinal >= 1),
  title       TEXT    NOT NULL,
  category    TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  created_at  TEXT    NOT NULL CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
  UNIQUE (repo, title_key, file, ordinal)
) STRICT;
CREATE INDEX entries_by_file ON entries (repo, file);
CREATE INDEX entries_by_fingerprint ON entries (fingerprint);

-- Ids under which somebody else recorded the same key at the same time, or on another machine.
CREATE TABLE twins (
  id    TEXT NOT NULL PRIMARY KEY CHECK (id <> entry),
  entry TEXT NOT NULL REFERENCES entries (id)
) STRICT, WITHOUT ROWID;

-- Earlier wordings and places of an entry.
CREATE TABLE aliases (
  entry     TEXT    NOT NULL REFERENCES entries (id),
  repo      INTEGER NOT NULL,
  title_key TEXT    NOT NULL CHECK (title_key <> ''),
  file      TEXT    NOT NULL,
  PRIMARY KEY (entry, title_key, file)
) STRICT;
CREATE INDEX aliases_by_key ON aliases (repo, title_key, file);
CREATE INDEX aliases_by_file ON aliases (repo, file);

-- What happened to an entry, append-only; its state is folded from here and stored nowhere.
CREATE TABLE events (
  id           TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  repo         INTEGER NOT NULL,
  entry        TEXT    NOT NULL REFERENCES entries (id),
  clock        INTEGER NOT NULL CHECK (clock >= 1),
  at           TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  kind         TEXT    NOT NULL CHECK (kind IN (
    'raised', 'reraised', 'claimed_fixed', 'claimed_refuted', 'claimed_filed', 'agreed', 'objected',
    'stood', 'withdrawn', 'fixed', 'escalated', 'gone', 'ruled', 'revoked', 'reopened', 'suppressed')),
  scope        TEXT    NOT NULL CHECK (
    scope = 'repo' OR scope LIKE 'pr:_%' OR scope LIKE 'branch:_%' OR scope LIKE 'file:_%'),
  actor        TEXT    NOT NULL CHECK (actor <> ''),
  by_person    INTEGER NOT NULL CHECK (by_person IN (0, 1)),
  run          TEXT    NOT NULL,
  round        INTEGER NOT NULL CHECK (round >= 0),
  head         TEXT    NOT NULL,
  reasoning    TEXT    NOT NULL,
  evidence     TEXT    NOT NULL CHECK (json_valid(evidence)),
  anchor       TEXT    NOT NULL CHECK (json_valid(anchor)),
  disposition  TEXT    NOT NULL CHECK (disposition IN ('', 'fixed', 'refuted', 'filed')),
  finding      TEXT    NOT NULL CHECK (json_valid(finding)),
  new_evidence INTEGER NOT NULL CHECK (new_evidence IN (0, 1)),
  revokes      TEXT    NOT NULL CHECK ((kind = 'revoked') = (revokes <> ''))
) STRICT;
CREATE INDEX events_by_entry ON events (entry, scope, clock, at, id, kind, by_person, new_evidence, disposition);
CREATE INDEX events_by_time ON events (at, id, entry, scope);
CREATE INDEX events_by_scope ON events (repo, scope, entry);
CREATE INDEX events_by_run ON events (run);
CREATE INDEX events_by_revoked ON events (revokes) WHERE revokes <> '';

-- The replies whose plan is recorded, by which run, with the handles of findings held for `same`.
CREATE TABLE recorded (
  exchange TEXT    NOT NULL PRIMARY KEY,
  run      TEXT    NOT NULL,
  repo     INTEGER NOT NULL,
  item     INTEGER NOT NULL,
  held     TEXT    NOT NULL CHECK (json_valid(held)),
  at       TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z')
) STRICT;
CREATE INDEX recorded_by_item ON recorded (repo, item, at);

-- -- The outbox -------------------------------------------------------------------------------------

CREATE TABLE intents (
  seq        INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id         TEXT    NOT NULL UNIQUE CHECK (id <> ''),
  run        TEXT    NOT NULL,
  repo       INTEGER NOT NULL,
  item       INTEGER NOT NULL,
  purpose    TEXT    NOT NULL CHECK (purpose <> ''),
  kind       TEXT    NOT NULL CHECK (kind <> ''),
  write      TEXT    NOT NULL CHECK (json_valid(write)),
  needs      TEXT    NOT NULL CHECK (json_valid(needs)),
  why        TEXT    NOT NULL,
  nonce      TEXT    NOT NULL UNIQUE CHECK (length(nonce) = 32),
  forge_time TEXT    NOT NULL CHECK (forge_time LIKE '____-__-__T__:__:__.______Z'),
  created_at TEXT    NOT NULL CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
  state      TEXT    NOT NULL CHECK (state IN ('open', 'delivered', 'dropped', 'refused', 'stopped')),
  settled_at TEXT    NOT NULL CHECK ((settled_at = '') = (state = 'open')),
  reason     TEXT    NOT NULL,
  receipt    TEXT    NOT NULL CHECK (json_valid(receipt) AND (state = 'delivered' OR receipt = 'null')),
  UNIQUE (repo, item, purpose)
) STRICT;
CREATE INDEX intents_open ON intents (repo, item) WHERE state = 'open';
CREATE INDEX intents_by_run ON intents (run);
CREATE INDEX intents_by_receipt ON intents (repo, kind, json_extract(receipt, '$.id'))
WHERE state = 'delivered';
CREATE INDEX intents_by_time ON intents (created_at, repo, item);

CREATE TABLE attempts (
  intent TEXT    NOT NULL REFERENCES intents (id),
  n      INTEGER NOT NULL CHECK (n >= 1),
  at     TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  PRIMARY KEY (intent, n)
) STRICT, WITHOUT ROWID;

-- Attempts that the forge turned away for now (a rate limit): nothing happened, they count no more.
CREATE TABLE turned_away (
  intent TEXT    NOT NULL,
  n      INTEGER NOT NULL,
  PRIMARY KEY (intent, n),
  FOREIGN KEY (intent, n) REFERENCES attempts (intent, n)
) STRICT, WITHOUT ROWID;

-- A run was taken back on an item: what it wrote and recorded there counts no more.
CREATE TABLE undone (
  run  TEXT    NOT NULL CHECK (run <> ''),
  repo INTEGER NOT NULL,
  item INTEGER NOT NULL,
  by   TEXT    NOT NULL CHECK (by <> ''),  -- the run that took it back
  at   TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  PRIMARY KEY (run, repo, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX undone_by_item ON undone (repo, item);

-- -- People, conversations, time --------------------------------------------------------------------

-- A person was called for an item; open until the item works again.
CREATE TABLE calls (
  id     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  repo   INTEGER NOT NULL,
  item   INTEGER NOT NULL,
  reason TEXT    NOT NULL,
  at     TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  head   TEXT    NOT NULL,  -- the commit that was there, '' before there was one
  open   INTEGER NOT NULL CHECK (open IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX calls_once ON calls (repo, item) WHERE open = 1;

-- How far a conversation is answered: up to this comment, and up to edits made until then.
CREATE TABLE watermarks (
  repo         INTEGER NOT NULL,
  item         INTEGER NOT NULL,
  conversation TEXT    NOT NULL CHECK (conversation <> ''),
  comment      INTEGER NOT NULL CHECK (comment >= 0),
  seen_until   TEXT    NOT NULL CHECK (seen_until LIKE '____-__-__T__:__:__.______Z'),
  PRIMARY KEY (repo, item, conversation)
) STRICT, WITHOUT ROWID;

-- Who works what. The epoch only grows; whether the owner lives, its lock file says.
CREATE TABLE leases (
  key   TEXT    NOT NULL PRIMARY KEY CHECK (key <> ''),
  owner TEXT    NOT NULL,
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  at    TEXT    NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z')
) STRICT, WITHOUT ROWID;

-- Which periods of which jobs have been taken: a job runs once per period.
CREATE TABLE ticks (
  job    TEXT NOT NULL CHECK (job <> ''),
  period TEXT NOT NULL CHECK (period <> ''),
  owner  TEXT NOT NULL,
  at     TEXT NOT NULL CHECK (at LIKE '____-__-__T__:__:__.______Z'),
  PRIMARY KEY (job, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE etags (
  url  TEXT NOT NULL PRIMARY KEY CHECK (url <> ''),
  etag TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

-- == Guards: what was written stays ===================================================================

CREATE TRIGGER runs_stay BEFORE DELETE ON runs
BEGIN SELECT RAISE(ABORT, 'a run is never deleted'); END;
CREATE TRIGGER runs_end_once BEFORE UPDATE ON runs WHEN OLD.ended_at <> ''
BEGIN SELECT RAISE(ABORT, 'a run ends once'); END;

CREATE TRIGGER exchanges_stay BEFORE DELETE ON exchanges
BEGIN SELECT RAISE(ABORT, 'an exchange is never deleted'); END;
CREATE TRIGGER exchanges_are_pinned BEFORE UPDATE ON exchanges
WHEN OLD.result <> ''
  OR (OLD.id, OLD.run, OLD.repo, OLD.item, OLD.branch, OLD.kind, OLD.agent, OLD.round, OLD.try,
      OLD.provider, OLD.model, OLD.effort, OLD.head, OLD.base, OLD.decision, OLD.brief, OLD.created_at)
  <> (NEW.id, NEW.run, NEW.repo, NEW.item, NEW.branch, NEW.kind, NEW.agent, NEW.round, NEW.try,
      NEW.provider, NEW.model, NEW.effort, NEW.head, NEW.base, NEW.decision, NEW.brief, NEW.created_at)
BEGIN SELECT RAISE(ABORT, 'an exchange is pinned, and ends once'); END;

CREATE TRIGGER journal_stays BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_stands BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_not_replaced BEFORE INSERT ON journal
WHEN NEW.seq IS NOT NULL AND EXISTS (SELECT 1 FROM journal WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_over BEFORE INSERT ON journal
WHEN EXISTS (SELECT 1 FROM journal WHERE exchange = NEW.exchange AND row = 'ended')
BEGIN SELECT RAISE(ABORT, 'the exchange has ended'); END;

CREATE TRIGGER bodies_stand BEFORE UPDATE ON bodies
BEGIN SELECT RAISE(ABORT, 'a journal body never changes'); END;
CREATE TRIGGER bodies_are_not_replaced BEFORE INSERT ON bodies
WHEN EXISTS (SELECT 1 FROM bodies WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a journal body never changes'); END;
CREATE TRIGGER bodies_are_kept_until_the_end BEFORE DELETE ON bodies
WHEN EXISTS (SELECT 1 FROM journal j JOIN exchanges x ON x.id = j.exchange
             WHERE j.seq = OLD.seq AND x.result = '')
BEGIN SELECT RAISE(ABORT, 'the exchange still runs'); END;

CREATE TRIGGER reserves_stay BEFORE DELETE ON reserves
BEGIN SELECT RAISE(ABORT, 'a reserve never lapses'); END;
CREATE TRIGGER reserves_settle_once BEFORE UPDATE ON reserves
WHEN OLD.state <> 'open' OR NEW.state <> 'spent'
  OR (OLD.id, OLD.exchange, OLD.n, OLD.repo, OLD.item, OLD.day, OLD.owner, OLD.at, OLD.bound)
  <> (NEW.id, NEW.exchange, NEW.n, NEW.repo, NEW.item, NEW.day, NEW.owner, NEW.at, NEW.bound)
BEGIN SELECT RAISE(ABORT, 'a reserve is settled once'); END;

CREATE TRIGGER commits_stay BEFORE DELETE ON commits
BEGIN SELECT RAISE(ABORT, 'a commit row is never deleted'); END;
CREATE TRIGGER commits_stand BEFORE UPDATE ON commits
BEGIN SELECT RAISE(ABORT, 'a commit row never changes'); END;

CREATE TRIGGER entries_stay BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END;
CREATE TRIGGER entries_stand BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry never changes'); END;

CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_stand BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
-- An event told again is the same event. (Also stops INSERT OR REPLACE, which deletes without asking.)
CREATE TRIGGER events_are_told_once BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER intents_stay BEFORE DELETE ON intents
BEGIN SELECT RAISE(ABORT, 'an intent is never deleted'); END;
CREATE TRIGGER intents_settle BEFORE UPDATE ON intents
WHEN OLD.state IN ('delivered', 'dropped', 'refused')
  OR (OLD.id, OLD.seq, OLD.run, OLD.repo, OLD.item, OLD.purpose, OLD.kind, OLD.write, OLD.needs, OLD.why,
      OLD.nonce, OLD.forge_time, OLD.created_at)
  <> (NEW.id, NEW.seq, NEW.run, NEW.repo, NEW.item, NEW.purpose, NEW.kind, NEW.write, NEW.needs, NEW.why,
      NEW.nonce, NEW.forge_time, NEW.created_at)
BEGIN SELECT RAISE(ABORT, 'an intent is settled once, and never becomes another write'); END;

CREATE TRIGGER attempts_stay BEFORE DELETE ON attempts
BEGIN SELECT RAISE(ABORT, 'an attempt is never deleted'); END;
CREATE TRIGGER attempts_stand BEFORE UPDATE ON attempts
BEGIN SELECT RAISE(ABORT, 'an attempt never changes'); END;

CREATE TRIGGER turned_away_stays BEFORE DELETE ON turned_away
BEGIN SELECT RAISE(ABORT, 'what was turned away stays so'); END;
CREATE TRIGGER turned_away_stands BEFORE UPDATE ON turned_away
BEGIN SELECT RAISE(ABORT, 'what was turned away stays so'); END;

CREATE TRIGGER undone_stays BEFORE DELETE ON undone
BEGIN SELECT RAISE(ABORT, 'an undo stays'); END;
CREATE TRIGGER undone_stands BEFORE UPDATE ON undone
BEGIN SELECT RAISE(ABORT, 'an undo stays'); END;

CREATE TRIGGER leases_stay BEFORE DELETE ON leases
BEGIN SELECT RAISE(ABORT, 'a lease keeps its epoch'); END;
CREATE TRIGGER leases_move_on BEFORE UPDATE ON leases WHEN NEW.epoch < OLD.epoch
BEGIN SELECT RAISE(ABORT, 'an epoch only grows'); END;
CREATE TRIGGER ticks_stand BEFORE UPDATE ON ticks
BEGIN SELECT RAISE(ABORT, 'a tick is taken once'); END;
