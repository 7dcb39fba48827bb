-- Why a person is called: whether it is over is looked up in the world, each cause in its own place.

ALTER TABLE calls ADD COLUMN cause TEXT NOT NULL DEFAULT 'argument' CHECK (cause <> '');

DROP VIEW called;
CREATE VIEW called AS SELECT repo, item, reason, at, head, cause FROM calls WHERE open = 1;
