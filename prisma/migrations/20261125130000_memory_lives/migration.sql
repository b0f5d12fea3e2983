-- A life is told by dates that may be known only in part, by places, and by whether it was a person's or an animal's.

ALTER TABLE memory_tags DROP CONSTRAINT memory_tags_dates_ordered;
ALTER TABLE memory_tags
  ALTER COLUMN born_on TYPE text COLLATE "C" USING to_char(born_on, 'YYYY-MM-DD'),
  ALTER COLUMN died_on TYPE text COLLATE "C" USING to_char(died_on, 'YYYY-MM-DD'),
  ADD COLUMN subject text NOT NULL DEFAULT 'PERSON',
  ADD COLUMN places jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN anniversary_reminders boolean NOT NULL DEFAULT true,
  ADD CONSTRAINT memory_tags_born_on_shape CHECK (born_on ~ '^(?!0000)\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$'),
  ADD CONSTRAINT memory_tags_died_on_shape CHECK (died_on ~ '^(?!0000)\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$'),
  ADD CONSTRAINT memory_tags_dates_ordered CHECK (left(born_on, length(died_on)) <= left(died_on, length(born_on))),
  ADD CONSTRAINT memory_tags_subject_known CHECK (subject IN ('PERSON', 'ANIMAL')),
  ADD CONSTRAINT memory_tags_places_bounded CHECK (jsonb_typeof(places) = 'array' AND jsonb_array_length(places) <= 20);
COMMENT ON COLUMN memory_tags.born_on IS 'Date of birth as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD; null where it is not.';
COMMENT ON COLUMN memory_tags.died_on IS 'Date of death as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD; null where it is not.';
COMMENT ON COLUMN memory_tags.subject IS 'Who is remembered: PERSON or ANIMAL.';
COMMENT ON COLUMN memory_tags.places IS 'List of label, and where they are given kind (BIRTH, HOME, DEATH, GRAVE or OTHER), latitude and longitude.';
COMMENT ON COLUMN memory_tags.anniversary_reminders IS 'Whether its people are reminded on the days of birth and death.';
COMMENT ON CONSTRAINT memory_tags_born_on_shape ON memory_tags IS 'A year from 1 on, a month or a day of it.';
COMMENT ON CONSTRAINT memory_tags_died_on_shape ON memory_tags IS 'A year from 1 on, a month or a day of it.';
COMMENT ON CONSTRAINT memory_tags_dates_ordered ON memory_tags IS 'Nobody dies before they are born, as far as both are known.';
COMMENT ON CONSTRAINT memory_tags_subject_known ON memory_tags IS 'PERSON or ANIMAL.';
COMMENT ON CONSTRAINT memory_tags_places_bounded ON memory_tags IS 'A list of 20 places at most.';
CREATE INDEX memory_tags_birthday_idx ON memory_tags (substr(born_on, 6), id) WHERE length(born_on) = 10 AND anniversary_reminders;
COMMENT ON INDEX memory_tags_birthday_idx IS 'Serves: whose birthday a day is.';
CREATE INDEX memory_tags_day_of_death_idx ON memory_tags (substr(died_on, 6), id) WHERE length(died_on) = 10 AND anniversary_reminders;
COMMENT ON INDEX memory_tags_day_of_death_idx IS 'Serves: whose day of death a day is.';
