-- The read side. States are folded here as `rules/fold.py` folds them; a test holds the two together.

-- == What is settled, where, by whom, with what evidence =============================================

-- Events that were not taken back.
CREATE VIEW counting AS
SELECT e.* FROM events e
WHERE e.kind <> 'revoked'
  AND NOT EXISTS (SELECT 1 FROM events r WHERE r.revokes = e.id AND r.revokes <> '');

-- Events that say something of the state, and what.
CREATE VIEW carrying AS
SELECT c.*,
  CASE c.kind
    WHEN 'raised' THEN 'open'
    WHEN 'reraised' THEN 'open'
    WHEN 'reopened' THEN 'open'
    WHEN 'claimed_fixed' THEN 'claimed'
    WHEN 'claimed_refuted' THEN 'claimed'
    WHEN 'claimed_filed' THEN 'claimed'
    WHEN 'agreed' THEN c.disposition
    WHEN 'objected' THEN 'disputed'
    WHEN 'stood' THEN 'disputed'
    WHEN 'escalated' THEN 'needs_human'
    WHEN 'withdrawn' THEN 'withdrawn'
    WHEN 'gone' THEN 'withdrawn'
    WHEN 'fixed' THEN 'fixed'
    WHEN 'suppressed' THEN 'suppressed'
    WHEN 'ruled' THEN iif(c.disposition = '', 'open', c.disposition)
  END AS state
FROM counting c
WHERE NOT (c.kind = 'reraised' AND c.new_evidence = 0)
  AND NOT (c.kind = 'agreed' AND c.disposition = '');

-- The state of every entry in every scope: a person's ruling that nothing reopened, else the newest.
CREATE VIEW states AS
SELECT d.repo, d.entry, d.scope, d.state,
  d.kind = 'ruled' AND d.by_person = 1 AS by_person,
  iif(d.state IN ('claimed', 'disputed'), coalesce((
    SELECT substr(k.kind, 9) FROM counting k
    WHERE k.entry = d.entry AND k.scope = d.scope
      AND k.kind IN ('claimed_fixed', 'claimed_refuted', 'claimed_filed')
    ORDER BY k.clock DESC, k.at DESC, k.id DESC LIMIT 1), ''), '') AS claim,
  d.id AS event
FROM carrying d
WHERE d.id = coalesce(
  (SELECT CASE WHEN k.kind = 'ruled' AND k.disposition <> '' THEN k.id END FROM counting k
   WHERE k.entry = d.entry AND k.scope = d.scope
     AND (k.kind = 'reopened' OR (k.kind = 'ruled' AND k.by_person = 1))
   ORDER BY k.clock DESC, k.at DESC, k.id DESC LIMIT 1),
  (SELECT k.id FROM carrying k
   WHERE k.entry = d.entry AND k.scope = d.scope
   ORDER BY k.clock DESC, k.at DESC, k.id DESC LIMIT 1));

-- The same, for reading: who decided, why, with what evidence, and on which claim.
CREATE VIEW standings AS
SELECT coalesce(r.owner || '/' || r.name, s.repo) AS repo, substr(e.fingerprint, 4, 8) AS id,
  e.title, e.file, e.category, s.scope, s.state, s.claim, d.actor AS by, s.by_person,
  d.kind AS decided_by, d.at AS decided_at, d.reasoning, d.evidence, d.head, d.round, d.run,
  coalesce(k.actor, '') AS claimed_by, coalesce(k.reasoning, '') AS claim_reasoning,
  coalesce(k.evidence, '[]') AS claim_evidence, s.entry, s.event
FROM states s
JOIN entries e ON e.id = s.entry
JOIN events d ON d.id = s.event
LEFT JOIN repos r ON r.id = s.repo
LEFT JOIN events k ON k.id = (
  SELECT c.id FROM counting c
  WHERE c.entry = s.entry AND c.scope = s.scope
    AND c.kind IN ('claimed_fixed', 'claimed_refuted', 'claimed_filed')
  ORDER BY c.clock DESC, c.at DESC, c.id DESC LIMIT 1);

-- What binds the next reviewer in its scope, as long as its anchors hold.
CREATE VIEW settled AS
SELECT * FROM standings WHERE state IN ('refuted', 'filed', 'withdrawn', 'suppressed');

-- What waits for a person.
CREATE VIEW disputes AS
SELECT * FROM standings WHERE state IN ('disputed', 'needs_human');

-- == Money, in micro-dollars; what is reserved by an owner that died is spent ==========================

CREATE VIEW exchange_spend AS
SELECT x.id AS exchange, x.run, x.repo, x.item, x.kind, x.agent, x.model, x.result,
  coalesce(sum(v.spent), 0) AS spent,
  coalesce(sum(iif(v.state = 'open', v.bound, 0)), 0) AS reserved,
  coalesce(sum(v.input), 0) AS input, coalesce(sum(v.cache_read), 0) AS cache_read,
  coalesce(sum(v.cache_write), 0) AS cache_write, coalesce(sum(v.output), 0) AS output,
  count(v.id) AS turns
FROM exchanges x LEFT JOIN reserves v ON v.exchange = x.id
GROUP BY x.id;

CREATE VIEW run_spend AS
SELECT run, sum(spent) AS spent, sum(reserved) AS reserved, sum(turns) AS turns
FROM exchange_spend GROUP BY run;

CREATE VIEW item_spend AS
SELECT repo, item, sum(spent) AS spent, sum(iif(state = 'open', bound, 0)) AS reserved
FROM reserves GROUP BY repo, item;

CREATE VIEW repo_day_spend AS
SELECT repo, day, sum(spent) AS spent, sum(iif(state = 'open', bound, 0)) AS reserved
FROM reserves GROUP BY repo, day;

CREATE VIEW day_spend AS
SELECT day, sum(spent) AS spent, sum(iif(state = 'open', bound, 0)) AS reserved
FROM reserves GROUP BY day;

-- == What is going on ====================================================================================

CREATE VIEW transcripts AS
SELECT j.exchange, j.seq, j.at, j.row, j.n, j.call, b.body
FROM journal j LEFT JOIN bodies b ON b.seq = j.seq;

CREATE VIEW open_intents AS
SELECT i.*, (SELECT count(*) FROM attempts a WHERE a.intent = i.id) AS attempts
FROM intents i WHERE i.state = 'open';

CREATE VIEW held_leases AS SELECT * FROM leases WHERE owner <> '';

CREATE VIEW called AS SELECT repo, item, reason, at, head FROM calls WHERE open = 1;

CREATE VIEW latest_decisions AS
SELECT d.* FROM decisions d
WHERE d.id = (SELECT n.id FROM decisions n WHERE n.repo = d.repo AND n.issue = d.issue
              ORDER BY n.at DESC, n.id DESC LIMIT 1);

CREATE VIEW latest_outcomes AS
SELECT o.* FROM outcomes o
WHERE o.run = (SELECT n.run FROM outcomes n WHERE n.repo = o.repo AND n.item = o.item
               ORDER BY n.at DESC, n.run DESC LIMIT 1);
