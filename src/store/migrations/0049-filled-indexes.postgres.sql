-- How far the index of an added field is filled with what things had before, and for which revision of the field.
ALTER TABLE own_indexes ADD COLUMN build bigint NOT NULL DEFAULT 0, ADD COLUMN upto text COLLATE "C" NOT NULL DEFAULT '0';
