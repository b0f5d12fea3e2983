-- What each constraint keeps, for whoever reads the catalogue. Keys say it by one sentence of a kind; checks, each its own.

DO $$
DECLARE
  said jsonb;
  kept record;
  meaning text;
BEGIN
  SELECT jsonb_object_agg(name, words) INTO said FROM (VALUES
    ('users_email_normalised', 'An address is stored in lower case, so that unique means one account an address.'),
    ('users_active_is_complete', 'Who is ACTIVE has a profile: both names and a type of account.'),
    ('users_organization_is_named', 'An active organization has a name.'),
    ('users_profile_picture_shape', 'A file name that the service makes, and no path.'),
    ('users_status_before_known', 'One of the values that a suspended account can go back to.'),
    ('users_status_before_of_suspended', 'Only a suspended account has one.'),
    ('pending_registrations_attempts_bounded', 'Five tries at the most.'),
    ('pending_registrations_picture_is_whole', 'A picture and its kind come together.'),
    ('sessions_end_is_whole', 'An end has a time and a reason, or neither.'),
    ('idempotency_keys_answer_is_whole', 'A stored answer has a status and a body, or neither.'),
    ('qr_codes_kind_shape', 'The form of a kind''s name; the application knows the list.'),
    ('qr_codes_title_bounded', 'From 1 to 200 characters.'),
    ('qr_codes_slug_shape', 'Small letters, digits and hyphens, 40 at the most.'),
    ('qr_codes_status_before_known', 'One of the values that a deleted code can go back to.'),
    ('qr_codes_status_before_of_deleted', 'Only a deleted code has one.'),
    ('qr_codes_deleted_is_whole', 'A deleted code, and no other, has the time of its deletion.'),
    ('qr_codes_static_is_open', 'A static code has neither PIN nor end: nothing could check them.'),
    ('qr_codes_purged_is_whole', 'Only a deleted code is without content, and then without image, PIN, logo and details of a loss.'),
    ('qr_codes_lost_details_of_lost', 'Only a lost code has details of a loss.'),
    ('qr_codes_image_file_shape', 'A file name that the service makes, and no path.'),
    ('qr_codes_counts_ordered', 'Never below zero, and never more uniques than humans, nor humans than scans.'),
    ('scans_unique_human', 'Only a scan by a person can be the first of its visitor.'),
    ('scans_country_shape', 'Two capital letters (ISO 3166-1 alpha-2).'),
    ('scans_unlocked_version_known', 'A version that was unlocked has the time of it.'),
    ('scan_rollups_counts_ordered', 'At least one scan, and never more uniques than humans, nor humans than scans.'),
    ('scan_rollups_breakdown_object', 'An object of dimensions.'),
    ('memory_tags_name_bounded', 'From 1 to 200 characters.'),
    ('memory_tags_dates_ordered', 'Nobody dies before they are born.'),
    ('subscription_packages_code_shape', 'Capital letters.'),
    ('outgoing_mails_content_only_while_waiting', 'The content is there while the mail waits, and gone afterwards.'),
    ('outgoing_mails_recipient_only_while_waiting', 'Whom it is for is noted while the mail waits, and gone afterwards.'),
    ('outgoing_mails_sent_is_whole', 'A mail that was sent, and no other, has the time of it.'),
    ('audit_entries_action_shape', 'The form of an action''s name; the application knows the list.'),
    ('audit_people_reference_shape', '24 hexadecimal digits of chance.'),
    ('audit_seals_sequence_positive', 'The trail begins with 1.'),
    ('audit_seal_batches_range', 'From the first to the last, and from 1 on.'),
    ('audit_seal_batches_members_length', 'Twenty bytes for each entry of the batch.'),
    ('audit_seal_batches_key_id_shape', '16 hexadecimal digits.'),
    ('audit_seal_batches_signature_length', 'An Ed25519 signature: 64 bytes.'),
    ('audit_retention_single_row', 'There is one row at most.'),
    ('audit_retention_days_bounded', 'From 90 days to a hundred years.'),
    ('audit_dropped_ranges_range', 'From the first to the last, and from 1 on.'),
    ('audit_dropped_ranges_checkpoint_fits', 'The checkpoint is whole and of the last entry dropped.'),
    ('user_identities_issuer_bounded', 'From 1 to 2048 characters.'),
    ('user_identities_subject_bounded', 'From 1 to 255 characters, as OpenID Connect has it.'),
    ('user_identities_email_normalised', 'An address is stored in lower case.'),
    ('sign_in_codes_code_challenge_shape', 'A SHA-256 in base64url, as PKCE has it.'),
    ('encryption_keys_id_shape', 'Up to 16 small letters and digits; a pepper''s begins with pepper.'),
    ('encryption_keys_check_value_shape', '32 hexadecimal digits.'),
    ('key_holders_instance_id_shape', '24 hexadecimal digits of chance.'),
    ('key_holders_has_its_primary_key', 'An instance holds the key that it encrypts with.'),
    ('second_factors_pending_or_confirmed', 'A second factor is confirmed, or waits for it until a time.'),
    ('second_factors_confirmed_by_a_code', 'A confirmed one was confirmed by a code, whose step is spent.'),
    ('data_exports_file_shape', 'A file name that the service makes, and no path.'),
    ('data_exports_ready_is_whole', 'An export that is READY, and no other, has file, size and time.'),
    ('data_exports_key_of_file', 'A key belongs to a file.'),
    ('data_exports_one_key', 'An archive is for the person''s own key or for one that the service keeps, not both.'),
    ('data_exports_ends', 'Once it is made or failed, it has an end.'),
    ('erasures_scans_to_is_whole', 'How far it got is a time and an id, or neither.'),
    ('erasures_finished_is_empty', 'A finished erasure says nothing more of the person.'),
    ('erased_files_name_plain', 'A file name, and no path.'),
    ('break_glass_grants_ends', 'It ends after it begins.'),
    ('service_days_counts_ordered', 'Never below zero, and never more uniques than humans, nor humans than scans.')
  ) AS checks (name, words);

  FOR kept IN
    SELECT k.oid, k.conname AS name, k.contype AS kind, c.relname AS of_table, f.relname AS target, k.confdeltype AS on_delete,
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS key (number, place)
                 JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = key.number ORDER BY key.place) AS columns
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid LEFT JOIN pg_class AS f ON f.oid = k.confrelid
    WHERE c.relnamespace = 'public'::regnamespace AND k.contype IN ('p', 'u', 'f', 'c')
      AND obj_description(k.oid, 'pg_constraint') IS NULL
  LOOP
    meaning := coalesce(said->>kept.name, CASE kept.kind
      WHEN 'p' THEN 'One row for each ' || array_to_string(kept.columns, ', ') || '.'
      WHEN 'u' THEN 'No two rows have the same ' || array_to_string(kept.columns, ', ') || '.'
      WHEN 'f' THEN array_to_string(kept.columns, ', ') || ' is a row of ' || kept.target || CASE kept.on_delete
        WHEN 'c' THEN ', and this one is deleted with it.'
        WHEN 'n' THEN ', and becomes null when that is deleted.'
        ELSE ', which cannot be deleted before this one.' END
      ELSE CASE
        WHEN kept.name ~ '_id_shape$' THEN 'A record id: 24 hexadecimal digits.'
        WHEN kept.name ~ '_known$' THEN 'One of the values that the service knows.'
        WHEN kept.name ~ '_not_negative$' THEN 'Never below zero.'
        WHEN kept.name ~ '_user_agent_bounded$' THEN 'At most 512 characters.'
        WHEN kept.name ~ '(_hash_is_sha256|_hash_length)$' THEN 'A SHA-256: 32 bytes.'
      END END);
    IF meaning IS NOT NULL THEN
      EXECUTE format('COMMENT ON CONSTRAINT %I ON public.%I IS %L', kept.name, kept.of_table, meaning);
    END IF;
  END LOOP;

  -- The history belongs to Prisma, whose engine makes it before the first migration.
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

  -- On a server of somebody else the schema may be somebody else's too.
  BEGIN
    COMMENT ON SCHEMA public IS 'The tables of the service. Reports read the schema reporting.';
  EXCEPTION WHEN insufficient_privilege THEN
    NULL;
  END;
END
$$;
