-- The unique value that named the thing of a command, and whether the thing was created with it: a repeat names it so.
ALTER TABLE commands ADD COLUMN named text COLLATE "C";
