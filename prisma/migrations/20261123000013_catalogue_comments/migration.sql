-- Comments on what the other migrations leave without one: keys and the checks that are the same in each table, the history
-- of migrations, and the schema public.

DO $$
DECLARE
  missing record;
  meaning text;
BEGIN
  FOR missing IN
    SELECT k.conname AS name, k.contype AS kind, c.relname AS of_table, f.relname AS target, k.confdeltype AS on_delete,
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS key (number, place)
                 JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = key.number ORDER BY key.place) AS columns
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid LEFT JOIN pg_class AS f ON f.oid = k.confrelid
    WHERE c.relnamespace = 'public'::regnamespace AND k.contype IN ('p', 'u', 'f', 'c')
      AND obj_description(k.oid, 'pg_constraint') IS NULL
  LOOP
    meaning := CASE missing.kind
      WHEN 'p' THEN 'One row for each ' || array_to_string(missing.columns, ', ') || '.'
      WHEN 'u' THEN 'No two rows have the same ' || array_to_string(missing.columns, ', ') || '.'
      WHEN 'f' THEN array_to_string(missing.columns, ', ') || ' is a row of ' || missing.target || CASE missing.on_delete
        WHEN 'c' THEN ', and this one is deleted with it.'
        WHEN 'n' THEN ', and becomes null when that is deleted.'
        ELSE ', which cannot be deleted before this one.' END
      ELSE CASE
        WHEN missing.name ~ '_id_shape$' THEN 'A record id: 24 hexadecimal digits.'
        WHEN missing.name ~ '_known$' THEN 'One of the values that the service knows.'
        WHEN missing.name ~ '_not_negative$' THEN 'Never below zero.'
        WHEN missing.name ~ '_user_agent_bounded$' THEN 'At most 512 characters.'
        WHEN missing.name ~ '(_hash_is_sha256|_hash_length)$' THEN 'A SHA-256: 32 bytes.'
      END END;
    EXECUTE format('COMMENT ON CONSTRAINT %I ON public.%I IS %L', missing.name, missing.of_table, meaning);
  END LOOP;

  -- Made by Prisma's engine before the first migration, and missing where the files are run by another tool.
  IF to_regclass('public._prisma_migrations') IS NOT NULL THEN
    COMMENT ON TABLE public._prisma_migrations IS 'Which migrations were applied, in the form that Prisma gives it.';
    COMMENT ON COLUMN public._prisma_migrations.id IS 'Chance.';
    COMMENT ON COLUMN public._prisma_migrations.checksum IS 'SHA-256 of the migration''s file.';
    COMMENT ON COLUMN public._prisma_migrations.finished_at IS 'When it was through; null for one that was not.';
    COMMENT ON COLUMN public._prisma_migrations.migration_name IS 'Name of its folder.';
    COMMENT ON COLUMN public._prisma_migrations.logs IS 'Why it failed.';
    COMMENT ON COLUMN public._prisma_migrations.rolled_back_at IS 'When a failed one was given up.';
    COMMENT ON COLUMN public._prisma_migrations.started_at IS 'When it was begun.';
    COMMENT ON COLUMN public._prisma_migrations.applied_steps_count IS '1 for one that was applied.';
  END IF;

  -- On a managed server the schema may belong to another role.
  BEGIN
    COMMENT ON SCHEMA public IS 'The tables of the service. Reports read the schema reporting.';
  EXCEPTION WHEN insufficient_privilege THEN
    NULL;
  END;
END
$$;
