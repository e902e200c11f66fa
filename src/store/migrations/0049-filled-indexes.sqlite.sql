-- How far the index of an added field is filled with what things had before, and for which revision of the field.
ALTER TABLE own_indexes ADD COLUMN build INTEGER NOT NULL DEFAULT 0;
ALTER TABLE own_indexes ADD COLUMN upto TEXT NOT NULL DEFAULT '0';
