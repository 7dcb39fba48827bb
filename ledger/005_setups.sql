-- How a setup that failed ended, and how often it was tried.

ALTER TABLE builds ADD COLUMN ended TEXT NOT NULL DEFAULT '';
ALTER TABLE builds ADD COLUMN tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0);
