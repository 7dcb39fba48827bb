-- The limit that ended a check, '' where none did: why it could not run is told whole.

ALTER TABLE checks ADD COLUMN stopped_by TEXT NOT NULL DEFAULT ''
  CHECK (stopped_by IN ('', 'time', 'memory', 'processes', 'disk', 'output'));
