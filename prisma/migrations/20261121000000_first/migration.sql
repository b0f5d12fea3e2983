-- The first migration: accounts, QR codes, scans, and what they stand on.
-- Ids are text of 24 hexadecimal digits in the "C" collation: their order is the order of creation.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- ---------------------------------------------------------------------------------------------
-- Accounts
-- ---------------------------------------------------------------------------------------------

CREATE TABLE users (
  id                text COLLATE "C" NOT NULL,
  email             text NOT NULL,
  password_hash     text,
  status            text NOT NULL DEFAULT 'PENDING_VERIFICATION',
  role              text NOT NULL DEFAULT 'USER',
  first_name        text,
  last_name         text,
  account_type      text,
  organization_name text,
  phone             bytea,
  language          text NOT NULL DEFAULT 'en',
  time_zone         text NOT NULL DEFAULT 'UTC',
  profile_picture   text,
  version           integer NOT NULL DEFAULT 1,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  updated_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT users_email_normalised CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  CONSTRAINT users_status_known CHECK (status IN ('PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED')),
  CONSTRAINT users_role_known CHECK (role IN ('USER', 'SUPPORT', 'AUDITOR', 'ADMIN')),
  CONSTRAINT users_account_type_known CHECK (account_type IN ('INDIVIDUAL', 'ORGANIZATION')),
  CONSTRAINT users_active_is_complete CHECK (status <> 'ACTIVE' OR (first_name IS NOT NULL AND last_name IS NOT NULL AND account_type IS NOT NULL)),
  CONSTRAINT users_organization_is_named CHECK (status <> 'ACTIVE' OR account_type <> 'ORGANIZATION' OR organization_name IS NOT NULL),
  CONSTRAINT users_profile_picture_key UNIQUE (profile_picture),
  CONSTRAINT users_profile_picture_shape CHECK (profile_picture ~ '^profile-[0-9]{13}-[0-9]{1,12}\.(jpg|jpeg|png)$')
);
COMMENT ON TABLE users IS 'People and organizations with an account.';
COMMENT ON COLUMN users.id IS 'Record id: 8 hexadecimal digits of creation time (Unix seconds), 16 of chance.';
COMMENT ON COLUMN users.email IS 'Normalised address: lower case, domain in ASCII (IDNA). One account an address.';
COMMENT ON COLUMN users.password_hash IS '<pepper id>:<bcrypt>, over a keyed hash of the password. Null until the address is confirmed.';
COMMENT ON COLUMN users.status IS 'PENDING_VERIFICATION, VERIFIED (no profile yet), ACTIVE, SUSPENDED or DELETED.';
COMMENT ON COLUMN users.role IS 'USER, SUPPORT, AUDITOR or ADMIN; what each may do is one table in the application.';
COMMENT ON COLUMN users.first_name IS 'Given name.';
COMMENT ON COLUMN users.last_name IS 'Family name.';
COMMENT ON COLUMN users.account_type IS 'INDIVIDUAL or ORGANIZATION.';
COMMENT ON COLUMN users.organization_name IS 'Name of the organization, for accounts of that type.';
COMMENT ON COLUMN users.phone IS 'Telephone number, encrypted by the application.';
COMMENT ON COLUMN users.language IS 'Language for mails and pages (BCP 47).';
COMMENT ON COLUMN users.time_zone IS 'Time zone for days in reports (IANA name).';
COMMENT ON COLUMN users.profile_picture IS 'File name below uploads/profile-pictures.';
COMMENT ON COLUMN users.version IS 'Grows by one with each change of the profile; confirmation and passwords leave it.';
COMMENT ON COLUMN users.created_at IS 'When the row was made.';
COMMENT ON COLUMN users.updated_at IS 'When the row was last changed.';
CREATE INDEX users_role_idx ON users (role) WHERE role <> 'USER';
COMMENT ON INDEX users_role_idx IS 'Serves: is there an administrator? Staff are few.';

CREATE TABLE pending_registrations (
  id                text COLLATE "C" NOT NULL,
  user_id           text COLLATE "C" NOT NULL,
  password_hash     text NOT NULL,
  otp_hash          bytea NOT NULL,
  attempts          integer NOT NULL DEFAULT 0,
  profile           bytea,
  picture           bytea,
  picture_extension text,
  expires_at        timestamptz(3) NOT NULL,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pending_registrations_pkey PRIMARY KEY (id),
  CONSTRAINT pending_registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT pending_registrations_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT pending_registrations_attempts_bounded CHECK (attempts BETWEEN 0 AND 5),
  CONSTRAINT pending_registrations_picture_is_whole CHECK ((picture IS NULL) = (picture_extension IS NULL)),
  CONSTRAINT pending_registrations_picture_extension_known CHECK (picture_extension IN ('jpg', 'png'))
);
COMMENT ON TABLE pending_registrations IS 'Registrations of addresses not confirmed yet, each with a password and a one-time code of its own. The code that is entered activates its own password; the others are deleted.';
COMMENT ON COLUMN pending_registrations.id IS 'Record id.';
COMMENT ON COLUMN pending_registrations.user_id IS 'The account that waits for confirmation.';
COMMENT ON COLUMN pending_registrations.password_hash IS '<pepper id>:<bcrypt>, as in users.';
COMMENT ON COLUMN pending_registrations.otp_hash IS 'Keyed hash of the six-digit code.';
COMMENT ON COLUMN pending_registrations.attempts IS 'Codes compared so far; five at most.';
COMMENT ON COLUMN pending_registrations.profile IS 'Profile fields given at registration, encrypted.';
COMMENT ON COLUMN pending_registrations.picture IS 'Picture given at registration, already drawn anew; becomes a public file only when the address is confirmed.';
COMMENT ON COLUMN pending_registrations.picture_extension IS 'jpg or png.';
COMMENT ON COLUMN pending_registrations.expires_at IS 'End of the code''s ten minutes.';
COMMENT ON COLUMN pending_registrations.created_at IS 'When the row was made.';
CREATE INDEX pending_registrations_user_id_idx ON pending_registrations (user_id, created_at DESC, id DESC);
COMMENT ON INDEX pending_registrations_user_id_idx IS 'Serves: the registrations of an address that wait, newest first.';

CREATE TABLE sessions (
  id           text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL,
  ip           text NOT NULL,
  user_agent   text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at   timestamptz(3) NOT NULL,
  ended_at     timestamptz(3),
  end_reason   text,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT sessions_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT sessions_user_agent_bounded CHECK (length(user_agent) <= 512),
  CONSTRAINT sessions_end_reason_known CHECK (end_reason IN ('LOGOUT', 'REVOKED', 'PASSWORD_RESET', 'PASSWORD_CHANGED', 'REFRESH_REUSE', 'SUSPENDED')),
  CONSTRAINT sessions_end_is_whole CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
COMMENT ON TABLE sessions IS 'One row a log-in; read on every request, so that an ended session counts from the next one.';
COMMENT ON COLUMN sessions.id IS 'Record id; named in the access token.';
COMMENT ON COLUMN sessions.user_id IS 'Whose session.';
COMMENT ON COLUMN sessions.ip IS 'Address at log-in, whole.';
COMMENT ON COLUMN sessions.user_agent IS 'Agent at log-in, cut to 512 characters.';
COMMENT ON COLUMN sessions.created_at IS 'Time of log-in.';
COMMENT ON COLUMN sessions.last_used_at IS 'Time of the last refresh.';
COMMENT ON COLUMN sessions.expires_at IS 'End of the newest refresh token.';
COMMENT ON COLUMN sessions.ended_at IS 'When it was ended before that.';
COMMENT ON COLUMN sessions.end_reason IS 'Why it was ended.';
CREATE INDEX sessions_user_id_idx ON sessions (user_id, created_at DESC, id DESC);
COMMENT ON INDEX sessions_user_id_idx IS 'Serves: a person''s sessions, newest first, their last log-in, and the deletion of a person.';

CREATE TABLE refresh_tokens (
  id         text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  rotated_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT refresh_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE,
  CONSTRAINT refresh_tokens_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE refresh_tokens IS 'The chain of refresh tokens of a session; the successor of a token is derived from it, so no token is stored.';
COMMENT ON COLUMN refresh_tokens.id IS 'Record id.';
COMMENT ON COLUMN refresh_tokens.session_id IS 'The session (the family of tokens).';
COMMENT ON COLUMN refresh_tokens.token_hash IS 'Keyed hash of the token.';
COMMENT ON COLUMN refresh_tokens.rotated_at IS 'When it was replaced; its use 30 s later ends the session.';
COMMENT ON COLUMN refresh_tokens.expires_at IS 'End of its thirty days.';
COMMENT ON COLUMN refresh_tokens.created_at IS 'When the row was made.';
CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);
COMMENT ON INDEX refresh_tokens_session_id_idx IS 'Serves: the deletion of a session.';
CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at);
COMMENT ON INDEX refresh_tokens_expires_at_idx IS 'Serves: clean-up.';

CREATE TABLE password_resets (
  id         text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT password_resets_pkey PRIMARY KEY (id),
  CONSTRAINT password_resets_token_hash_key UNIQUE (token_hash),
  CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT password_resets_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE password_resets IS 'Links sent to people who forgot their password; each works once.';
COMMENT ON COLUMN password_resets.id IS 'Record id.';
COMMENT ON COLUMN password_resets.user_id IS 'Whose password.';
COMMENT ON COLUMN password_resets.token_hash IS 'SHA-256 of the 256-bit token in the link.';
COMMENT ON COLUMN password_resets.expires_at IS 'End of its thirty minutes.';
COMMENT ON COLUMN password_resets.used_at IS 'When it was used, or made worthless by another.';
COMMENT ON COLUMN password_resets.created_at IS 'When the row was made.';
CREATE INDEX password_resets_user_id_idx ON password_resets (user_id);
COMMENT ON INDEX password_resets_user_id_idx IS 'Serves: ending the links of a person once one was used.';

CREATE TABLE attempt_budgets (
  key             text COLLATE "C" NOT NULL,
  used            integer NOT NULL,
  window_ends_at  timestamptz(3) NOT NULL,
  under_way       integer NOT NULL DEFAULT 0,
  under_way_until timestamptz(3),
  CONSTRAINT attempt_budgets_pkey PRIMARY KEY (key),
  CONSTRAINT attempt_budgets_used_not_negative CHECK (used >= 0),
  CONSTRAINT attempt_budgets_under_way_not_negative CHECK (under_way >= 0)
);
COMMENT ON TABLE attempt_budgets IS 'Tries used against an account, an address, a code or a PIN within a window. A try is reserved before anything is compared.';
COMMENT ON COLUMN attempt_budgets.key IS 'Name of the budget and keyed hash of what it guards.';
COMMENT ON COLUMN attempt_budgets.used IS 'Tries used in the window.';
COMMENT ON COLUMN attempt_budgets.window_ends_at IS 'When the budget is whole again.';
COMMENT ON COLUMN attempt_budgets.under_way IS 'Of the used tries those whose compare has not ended: they may be given back in a moment. Kept for PINs; it decides how long somebody is told to wait, never whether they may try.';
COMMENT ON COLUMN attempt_budgets.under_way_until IS 'From when on under_way says nothing: a compare takes less, so its process has died.';
CREATE INDEX attempt_budgets_window_ends_at_idx ON attempt_budgets (window_ends_at);
COMMENT ON INDEX attempt_budgets_window_ends_at_idx IS 'Serves: clean-up of budgets that are whole again.';

CREATE TABLE login_delays (
  key             text COLLATE "C" NOT NULL,
  failures        integer NOT NULL,
  next_allowed_at timestamptz(3) NOT NULL,
  CONSTRAINT login_delays_pkey PRIMARY KEY (key),
  CONSTRAINT login_delays_failures_not_negative CHECK (failures >= 0)
);
COMMENT ON TABLE login_delays IS 'Log-ins that failed in a row, per address or per known device, and when the next may be tried.';
COMMENT ON COLUMN login_delays.key IS 'Keyed hash of the address or of the device.';
COMMENT ON COLUMN login_delays.failures IS 'Failures since the last success.';
COMMENT ON COLUMN login_delays.next_allowed_at IS 'Earliest time of the next try.';
CREATE INDEX login_delays_next_allowed_at_idx ON login_delays (next_allowed_at);
COMMENT ON INDEX login_delays_next_allowed_at_idx IS 'Serves: clean-up of delays long over.';

CREATE UNLOGGED TABLE rate_counters (
  key            text COLLATE "C" NOT NULL,
  hits           integer NOT NULL,
  window_ends_at timestamptz(3) NOT NULL,
  CONSTRAINT rate_counters_pkey PRIMARY KEY (key)
);
COMMENT ON TABLE rate_counters IS 'Requests of all instances by class and address; each instance folds its own in at most every half second. Not logged: empty after a crash, which only makes limits generous for a minute.';
COMMENT ON COLUMN rate_counters.key IS 'Route class and keyed address.';
COMMENT ON COLUMN rate_counters.hits IS 'Requests in the window.';
COMMENT ON COLUMN rate_counters.window_ends_at IS 'End of the window.';

CREATE TABLE idempotency_keys (
  who        text COLLATE "C" NOT NULL,
  operation  text COLLATE "C" NOT NULL,
  key_hash   bytea NOT NULL,
  body_hash  bytea NOT NULL,
  id         text COLLATE "C" NOT NULL,
  status     integer,
  response   bytea,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (who, operation, key_hash),
  CONSTRAINT idempotency_keys_answer_is_whole CHECK ((status IS NULL) = (response IS NULL)),
  CONSTRAINT idempotency_keys_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE idempotency_keys IS 'First answers to creating requests that carried an Idempotency-Key, for 24 hours.';
COMMENT ON COLUMN idempotency_keys.who IS 'The account, or a keyed hash of code and visitor for the public.';
COMMENT ON COLUMN idempotency_keys.operation IS 'The operation, as audit_entries calls it.';
COMMENT ON COLUMN idempotency_keys.key_hash IS 'Keyed hash of the key.';
COMMENT ON COLUMN idempotency_keys.body_hash IS 'Keyed hash of the request''s body.';
COMMENT ON COLUMN idempotency_keys.id IS 'Record id, bound into the encryption of the response.';
COMMENT ON COLUMN idempotency_keys.status IS 'HTTP status of the first answer.';
COMMENT ON COLUMN idempotency_keys.response IS 'The first answer, encrypted.';
COMMENT ON COLUMN idempotency_keys.expires_at IS 'When it is forgotten.';
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);
COMMENT ON INDEX idempotency_keys_expires_at_idx IS 'Serves: clean-up.';

-- ---------------------------------------------------------------------------------------------
-- QR codes
-- ---------------------------------------------------------------------------------------------

CREATE TABLE qr_codes (
  id              text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  kind            text NOT NULL,
  mode            text NOT NULL,
  title           text NOT NULL,
  search_text     text NOT NULL GENERATED ALWAYS AS (lower(title || E'\n' || kind || E'\n' || replace(kind, '_', ' '))) STORED,
  slug            text NOT NULL,
  status          text NOT NULL DEFAULT 'ACTIVE',
  status_before   text,
  data            bytea,
  visibility      jsonb NOT NULL,
  design          jsonb NOT NULL,
  logo            bytea,
  adjusted        jsonb NOT NULL DEFAULT '[]',
  lost_details    bytea,
  pin_hash        text,
  image_file      text,
  contactable     boolean NOT NULL DEFAULT true,
  shows_page      boolean NOT NULL DEFAULT false,
  scan_count      bigint NOT NULL DEFAULT 0,
  human_count     bigint NOT NULL DEFAULT 0,
  unique_count    bigint NOT NULL DEFAULT 0,
  last_scanned_at timestamptz(3),
  expires_at      timestamptz(3),
  deleted_at      timestamptz(3),
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT qr_codes_pkey PRIMARY KEY (id),
  CONSTRAINT qr_codes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT qr_codes_image_file_key UNIQUE (image_file),
  CONSTRAINT qr_codes_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT qr_codes_kind_shape CHECK (kind ~ '^[A-Z][A-Z_]{1,30}$'),
  CONSTRAINT qr_codes_mode_known CHECK (mode IN ('DYNAMIC', 'STATIC')),
  CONSTRAINT qr_codes_title_bounded CHECK (length(title) BETWEEN 1 AND 200),
  CONSTRAINT qr_codes_slug_shape CHECK (slug ~ '^[a-z0-9-]{1,40}$'),
  CONSTRAINT qr_codes_status_known CHECK (status IN ('ACTIVE', 'PAUSED', 'LOST', 'DELETED', 'UNCLAIMED')),
  CONSTRAINT qr_codes_status_before_known CHECK (status_before IN ('ACTIVE', 'PAUSED', 'LOST', 'UNCLAIMED')),
  CONSTRAINT qr_codes_status_before_of_deleted CHECK (status_before IS NULL OR status = 'DELETED'),
  CONSTRAINT qr_codes_deleted_is_whole CHECK ((status = 'DELETED') = (deleted_at IS NOT NULL)),
  CONSTRAINT qr_codes_static_is_open CHECK (mode = 'DYNAMIC' OR (pin_hash IS NULL AND expires_at IS NULL)),
  CONSTRAINT qr_codes_purged_is_whole CHECK (data IS NOT NULL OR (status = 'DELETED' AND image_file IS NULL AND pin_hash IS NULL AND logo IS NULL AND lost_details IS NULL)),
  CONSTRAINT qr_codes_lost_details_of_lost CHECK (lost_details IS NULL OR coalesce(status_before, status) = 'LOST'),
  CONSTRAINT qr_codes_image_file_shape CHECK (image_file ~ '^[a-z]+-[a-z0-9-]{0,60}-[0-9a-f]{24}-[0-9]{13}\.png$'),
  CONSTRAINT qr_codes_counts_ordered CHECK (0 <= unique_count AND unique_count <= human_count AND human_count <= scan_count)
);
-- Each scan updates a row, and a page with a changed row costs searches a look at the table until it is vacuumed.
ALTER TABLE qr_codes SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
COMMENT ON TABLE qr_codes IS 'QR codes and what they hold. Content is encrypted; titles are not.';
COMMENT ON COLUMN qr_codes.id IS 'Record id; printed in the image of a dynamic code.';
COMMENT ON COLUMN qr_codes.owner_id IS 'Whose code.';
COMMENT ON COLUMN qr_codes.kind IS 'MEMORY_TAG, MEDICAL, CAR, LUGGAGE, PET, IDENTIFICATION, DOCUMENT, WIFI, URL, TEXT, VCARD, EMAIL, PHONE, SMS, LOCATION or EVENT; the application knows the list.';
COMMENT ON COLUMN qr_codes.mode IS 'DYNAMIC: the image holds the address of the page; STATIC: the content itself.';
COMMENT ON COLUMN qr_codes.title IS 'The owner''s name for it; searchable, not secret.';
COMMENT ON COLUMN qr_codes.search_text IS 'Title and kind in lower case, one a line, the kind with underscores and with spaces, for search.';
COMMENT ON COLUMN qr_codes.slug IS 'The part of the image''s file name made from the title, or chance for kinds whose title can be sensitive.';
COMMENT ON COLUMN qr_codes.status IS 'ACTIVE, PAUSED, LOST, DELETED or UNCLAIMED (printed before it has an owner); EXPIRED follows from expires_at.';
COMMENT ON COLUMN qr_codes.status_before IS 'The status of a deleted code before it was deleted: it comes back with it.';
COMMENT ON COLUMN qr_codes.data IS 'Content, encrypted by the application; null once a deleted code was emptied.';
COMMENT ON COLUMN qr_codes.visibility IS 'Field to PUBLIC, PIN or PRIVATE, as the owner gave it; defaults are the kind''s.';
COMMENT ON COLUMN qr_codes.design IS 'Colours, error correction, margin and size of the image.';
COMMENT ON COLUMN qr_codes.logo IS 'Logo drawn in the middle, a PNG.';
COMMENT ON COLUMN qr_codes.adjusted IS 'What was changed in the design so that the image scans.';
COMMENT ON COLUMN qr_codes.lost_details IS 'Message, reward and last place of a lost code, encrypted.';
COMMENT ON COLUMN qr_codes.pin_hash IS '<pepper id>:<bcrypt>, over a keyed hash of the PIN.';
COMMENT ON COLUMN qr_codes.image_file IS 'File name below uploads/qrcodes.';
COMMENT ON COLUMN qr_codes.contactable IS 'Whether a finder may write to the owner.';
COMMENT ON COLUMN qr_codes.shows_page IS 'For kind URL: whether the page is shown before going on.';
COMMENT ON COLUMN qr_codes.scan_count IS 'Scans of all classes.';
COMMENT ON COLUMN qr_codes.human_count IS 'Scans of class HUMAN.';
COMMENT ON COLUMN qr_codes.unique_count IS 'Different human visitors, added up over UTC days.';
COMMENT ON COLUMN qr_codes.last_scanned_at IS 'Time of the last scan.';
COMMENT ON COLUMN qr_codes.expires_at IS 'From when on it answers 410.';
COMMENT ON COLUMN qr_codes.deleted_at IS 'When it was deleted; it can be brought back for 30 days.';
COMMENT ON COLUMN qr_codes.version IS 'Grows by one with each change by the owner.';
COMMENT ON COLUMN qr_codes.created_at IS 'When the row was made.';
COMMENT ON COLUMN qr_codes.updated_at IS 'When the owner last changed it.';
CREATE INDEX qr_codes_owner_id_idx ON qr_codes (owner_id, created_at DESC, id DESC) INCLUDE (search_text) WHERE status <> 'DELETED';
COMMENT ON INDEX qr_codes_owner_id_idx IS 'Serves: an owner''s list, its total, and searches for what many titles have, without a look at the table.';
CREATE INDEX qr_codes_owner_id_fkey_idx ON qr_codes (owner_id);
COMMENT ON INDEX qr_codes_owner_id_fkey_idx IS 'Serves: the deletion of a person, which looks for codes in any state.';
CREATE INDEX qr_codes_search_idx ON qr_codes USING gin (owner_id, search_text gin_trgm_ops) WHERE status <> 'DELETED';
COMMENT ON INDEX qr_codes_search_idx IS 'Serves: an owner''s search of three letters or more for what few titles have.';
CREATE INDEX qr_codes_owner_id_deleted_idx ON qr_codes (owner_id, created_at DESC, id DESC) WHERE status = 'DELETED';
COMMENT ON INDEX qr_codes_owner_id_deleted_idx IS 'Serves: what an owner can bring back.';
CREATE INDEX qr_codes_deleted_at_idx ON qr_codes (deleted_at) WHERE status = 'DELETED' AND data IS NOT NULL;
COMMENT ON INDEX qr_codes_deleted_at_idx IS 'Serves: the job that empties codes deleted 30 days ago.';

CREATE TABLE test_links (
  token_hash bytea NOT NULL,
  qr_code_id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3),
  CONSTRAINT test_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT test_links_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE
);
COMMENT ON TABLE test_links IS 'One-time links by which an owner marks a phone as their own, so that trying a code alarms nobody.';
COMMENT ON COLUMN test_links.token_hash IS 'SHA-256 of the token in the link.';
COMMENT ON COLUMN test_links.qr_code_id IS 'The code to try.';
COMMENT ON COLUMN test_links.expires_at IS 'End of the link.';
COMMENT ON COLUMN test_links.used_at IS 'When it was opened.';
CREATE INDEX test_links_qr_code_id_idx ON test_links (qr_code_id);
COMMENT ON INDEX test_links_qr_code_id_idx IS 'Serves: the deletion of a code.';

-- ---------------------------------------------------------------------------------------------
-- Scans
-- ---------------------------------------------------------------------------------------------

CREATE TABLE scans (
  id              text COLLATE "C" NOT NULL,
  qr_code_id      text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  scanner_id      text COLLATE "C",
  type            text NOT NULL,
  class           text NOT NULL,
  class_rule      text NOT NULL,
  visitor_hash    bytea NOT NULL,
  position        bytea,
  city            text,
  region          text,
  country         text,
  ip_truncated    text NOT NULL,
  user_agent      text NOT NULL,
  unlocked_at     timestamptz(3),
  scanned_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT scans_pkey PRIMARY KEY (id),
  CONSTRAINT scans_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE RESTRICT,
  CONSTRAINT scans_scanner_id_fkey FOREIGN KEY (scanner_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT scans_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT scans_type_known CHECK (type IN ('public', 'guest', 'user')),
  CONSTRAINT scans_class_known CHECK (class IN ('HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE')),
  CONSTRAINT scans_country_shape CHECK (country ~ '^[A-Z]{2}$'),
  CONSTRAINT scans_user_agent_bounded CHECK (length(user_agent) <= 512)
);
COMMENT ON TABLE scans IS 'One row a scan. The row is its own audit record.';
COMMENT ON COLUMN scans.id IS 'Record id.';
COMMENT ON COLUMN scans.qr_code_id IS 'The code that was scanned.';
COMMENT ON COLUMN scans.owner_id IS 'The code''s owner, so that an owner''s list needs no join.';
COMMENT ON COLUMN scans.scanner_id IS 'The account that scanned, when signed in.';
COMMENT ON COLUMN scans.type IS 'public (page or plain scan), guest (with a position, no account) or user (signed in).';
COMMENT ON COLUMN scans.class IS 'HUMAN, BOT, PREVIEW, OWNER or DUPLICATE.';
COMMENT ON COLUMN scans.class_rule IS 'Name of the rule that decided the class.';
COMMENT ON COLUMN scans.visitor_hash IS 'Keyed hash of truncated address, agent and code, under a key of the UTC day.';
COMMENT ON COLUMN scans.position IS 'Exact latitude, longitude, accuracy and address, encrypted.';
COMMENT ON COLUMN scans.city IS 'City by the geocoder.';
COMMENT ON COLUMN scans.region IS 'Region by the geocoder.';
COMMENT ON COLUMN scans.country IS 'Country by the geocoder (ISO 3166-1 alpha-2).';
COMMENT ON COLUMN scans.ip_truncated IS 'Address without its last part: IPv4 /24, IPv6 /48.';
COMMENT ON COLUMN scans.user_agent IS 'Agent, cut to 512 characters.';
COMMENT ON COLUMN scans.unlocked_at IS 'When the right PIN was given.';
COMMENT ON COLUMN scans.scanned_at IS 'When it was scanned.';
CREATE INDEX scans_qr_code_id_idx ON scans (qr_code_id, scanned_at DESC, id DESC);
COMMENT ON INDEX scans_qr_code_id_idx IS 'Serves: the scans of a code, newest or (read backwards) oldest first.';
CREATE INDEX scans_scanner_id_idx ON scans (scanner_id) WHERE scanner_id IS NOT NULL;
COMMENT ON INDEX scans_scanner_id_idx IS 'Serves: the deletion of a person.';
CREATE INDEX scans_owner_id_idx ON scans (owner_id, scanned_at DESC, id DESC);
COMMENT ON INDEX scans_owner_id_idx IS 'Serves: the scans of an owner''s codes, newest or (read backwards) oldest first.';

CREATE TABLE scan_visitors (
  qr_code_id   text COLLATE "C" NOT NULL,
  day          date NOT NULL,
  visitor_hash bytea NOT NULL,
  CONSTRAINT scan_visitors_pkey PRIMARY KEY (qr_code_id, day, visitor_hash),
  CONSTRAINT scan_visitors_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE
);
CREATE INDEX scan_visitors_day_idx ON scan_visitors USING brin (day);
COMMENT ON INDEX scan_visitors_day_idx IS 'Serves: clean-up.';
COMMENT ON TABLE scan_visitors IS 'Human visitors seen on a UTC day, so that a second scan is not counted as a second person.';
COMMENT ON COLUMN scan_visitors.qr_code_id IS 'The code.';
COMMENT ON COLUMN scan_visitors.day IS 'UTC day.';
COMMENT ON COLUMN scan_visitors.visitor_hash IS 'As in scans.';

-- ---------------------------------------------------------------------------------------------
-- What a client reads first
-- ---------------------------------------------------------------------------------------------

CREATE TABLE notifications (
  id         text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL,
  type       text NOT NULL,
  event      text NOT NULL,
  title      text NOT NULL,
  body       text NOT NULL,
  data       jsonb NOT NULL DEFAULT '{}',
  read_at    timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT notifications_pkey PRIMARY KEY (id),
  CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT notifications_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT notifications_type_known CHECK (type IN ('DEFAULT', 'ALERT', 'MESSAGE', 'SYSTEM'))
);
COMMENT ON TABLE notifications IS 'What a person is told in the application.';
COMMENT ON COLUMN notifications.id IS 'Record id.';
COMMENT ON COLUMN notifications.user_id IS 'Who is told.';
COMMENT ON COLUMN notifications.type IS 'DEFAULT (ordinary), ALERT, MESSAGE or SYSTEM.';
COMMENT ON COLUMN notifications.event IS 'What happened, such as QR_CODE_SCANNED or NEW_LOGIN.';
COMMENT ON COLUMN notifications.title IS 'First line.';
COMMENT ON COLUMN notifications.body IS 'The rest; nothing private.';
COMMENT ON COLUMN notifications.data IS 'Ids that a client needs to open what it is about.';
COMMENT ON COLUMN notifications.read_at IS 'When it was read.';
COMMENT ON COLUMN notifications.created_at IS 'When the row was made.';
CREATE INDEX notifications_user_id_idx ON notifications (user_id, created_at DESC, id DESC);
COMMENT ON INDEX notifications_user_id_idx IS 'Serves: a person''s notifications, newest first.';
CREATE INDEX notifications_unread_idx ON notifications (user_id) WHERE read_at IS NULL;
COMMENT ON INDEX notifications_unread_idx IS 'Serves: the number of unread ones.';

CREATE TABLE memory_tags (
  id         text COLLATE "C" NOT NULL,
  owner_id   text COLLATE "C" NOT NULL,
  qr_code_id text COLLATE "C",
  name       text NOT NULL,
  born_on    date,
  died_on    date,
  epitaph    text,
  story      text,
  version    integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT memory_tags_pkey PRIMARY KEY (id),
  CONSTRAINT memory_tags_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT memory_tags_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE SET NULL,
  CONSTRAINT memory_tags_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT memory_tags_name_bounded CHECK (length(name) BETWEEN 1 AND 200),
  CONSTRAINT memory_tags_dates_ordered CHECK (born_on <= died_on)
);
COMMENT ON TABLE memory_tags IS 'Memorials of people and animals; each may name a QR code, of kind MEMORY_TAG or any other.';
COMMENT ON COLUMN memory_tags.id IS 'Record id.';
COMMENT ON COLUMN memory_tags.owner_id IS 'Who keeps it.';
COMMENT ON COLUMN memory_tags.qr_code_id IS 'The code on the stone.';
COMMENT ON COLUMN memory_tags.name IS 'Who is remembered.';
COMMENT ON COLUMN memory_tags.born_on IS 'Day of birth.';
COMMENT ON COLUMN memory_tags.died_on IS 'Day of death.';
COMMENT ON COLUMN memory_tags.epitaph IS 'A line for the stone.';
COMMENT ON COLUMN memory_tags.story IS 'A life told.';
COMMENT ON COLUMN memory_tags.version IS 'Grows by one with each change.';
COMMENT ON COLUMN memory_tags.created_at IS 'When the row was made.';
COMMENT ON COLUMN memory_tags.updated_at IS 'When the row was last changed.';
CREATE INDEX memory_tags_owner_id_idx ON memory_tags (owner_id, created_at DESC, id DESC);
COMMENT ON INDEX memory_tags_owner_id_idx IS 'Serves: a person''s memory tags, newest first.';
CREATE INDEX memory_tags_qr_code_id_idx ON memory_tags (qr_code_id);
COMMENT ON INDEX memory_tags_qr_code_id_idx IS 'Serves: the deletion of a code.';

CREATE TABLE subscription_packages (
  id       text COLLATE "C" NOT NULL,
  code     text NOT NULL,
  names    jsonb NOT NULL,
  prices   jsonb NOT NULL,
  limits   jsonb NOT NULL,
  features jsonb NOT NULL,
  rank     integer NOT NULL,
  CONSTRAINT subscription_packages_pkey PRIMARY KEY (id),
  CONSTRAINT subscription_packages_code_key UNIQUE (code),
  CONSTRAINT subscription_packages_rank_key UNIQUE (rank),
  CONSTRAINT subscription_packages_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT subscription_packages_code_shape CHECK (code ~ '^[A-Z]+$')
);
COMMENT ON TABLE subscription_packages IS 'Packages on offer.';
COMMENT ON COLUMN subscription_packages.id IS 'Record id.';
COMMENT ON COLUMN subscription_packages.code IS 'FREE, PERSONAL, FAMILY, BUSINESS or ENTERPRISE.';
COMMENT ON COLUMN subscription_packages.names IS 'Language to name.';
COMMENT ON COLUMN subscription_packages.prices IS 'List of interval, currency and amount in minor units.';
COMMENT ON COLUMN subscription_packages.limits IS 'Name of a limit to its number; null is none.';
COMMENT ON COLUMN subscription_packages.features IS 'List of feature names.';
COMMENT ON COLUMN subscription_packages.rank IS 'Order from small to large.';
INSERT INTO subscription_packages (id, code, names, prices, limits, features, rank) VALUES
  ('673f0000a1b2c3d4e5f60001', 'FREE', '{"en": "Free", "de": "Kostenlos"}', '[]',
   '{"qrCodes": 50, "documents": 5, "storageBytes": 104857600, "scansKeptDays": 365}', '["EMAIL_NOTIFICATIONS"]', 1),
  ('673f0000a1b2c3d4e5f60002', 'PERSONAL', '{"en": "Personal", "de": "Persönlich"}',
   '[{"interval": "month", "currency": "EUR", "amount": 300}, {"interval": "year", "currency": "EUR", "amount": 3000}]',
   '{"qrCodes": 250, "documents": 50, "storageBytes": 2147483648, "scansKeptDays": 1095}', '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS"]', 2),
  ('673f0000a1b2c3d4e5f60003', 'FAMILY', '{"en": "Family", "de": "Familie"}',
   '[{"interval": "month", "currency": "EUR", "amount": 600}, {"interval": "year", "currency": "EUR", "amount": 6000}]',
   '{"qrCodes": 1000, "documents": 250, "storageBytes": 10737418240, "scansKeptDays": 1825}', '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS"]', 3),
  ('673f0000a1b2c3d4e5f60004', 'BUSINESS', '{"en": "Business", "de": "Unternehmen"}',
   '[{"interval": "month", "currency": "EUR", "amount": 2900}, {"interval": "year", "currency": "EUR", "amount": 29000}]',
   '{"qrCodes": 20000, "documents": 5000, "storageBytes": 107374182400, "scansKeptDays": 3650}', '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS", "REPORTS"]', 4),
  ('673f0000a1b2c3d4e5f60005', 'ENTERPRISE', '{"en": "Enterprise", "de": "Konzern"}',
   '[{"interval": "month", "currency": "EUR", "amount": 19900}, {"interval": "year", "currency": "EUR", "amount": 199000}]',
   '{"qrCodes": null, "documents": null, "storageBytes": null, "scansKeptDays": null}', '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS", "REPORTS", "ENTERPRISE_MODE"]', 5);

-- ---------------------------------------------------------------------------------------------
-- Mail waiting to be sent
-- ---------------------------------------------------------------------------------------------

CREATE TABLE outgoing_mails (
  id         text COLLATE "C" NOT NULL,
  template   text NOT NULL,
  content    bytea,
  status     text NOT NULL DEFAULT 'WAITING',
  attempts   integer NOT NULL DEFAULT 0,
  reason     text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  sent_at    timestamptz(3),
  CONSTRAINT outgoing_mails_pkey PRIMARY KEY (id),
  CONSTRAINT outgoing_mails_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT outgoing_mails_status_known CHECK (status IN ('WAITING', 'SENT', 'FAILED')),
  CONSTRAINT outgoing_mails_content_only_while_waiting CHECK ((status = 'WAITING') = (content IS NOT NULL)),
  CONSTRAINT outgoing_mails_sent_is_whole CHECK ((status = 'SENT') = (sent_at IS NOT NULL))
);
CREATE INDEX outgoing_mails_waiting_idx ON outgoing_mails (id) WHERE status = 'WAITING';
COMMENT ON INDEX outgoing_mails_waiting_idx IS 'Serves: looking for mails that nobody sends any more.';
COMMENT ON TABLE outgoing_mails IS 'The outbox: a mail is written in the transaction of what causes it and sent by a job that knows only its id.';
COMMENT ON COLUMN outgoing_mails.id IS 'Record id; also the Message-ID, so that a repeat is harmless.';
COMMENT ON COLUMN outgoing_mails.template IS 'Which mail it is.';
COMMENT ON COLUMN outgoing_mails.content IS 'Recipient, subject and body, encrypted; deleted once sent or given up.';
COMMENT ON COLUMN outgoing_mails.status IS 'WAITING, SENT or FAILED.';
COMMENT ON COLUMN outgoing_mails.attempts IS 'Tries so far.';
COMMENT ON COLUMN outgoing_mails.reason IS 'Why the last try failed, as a word.';
COMMENT ON COLUMN outgoing_mails.created_at IS 'When the row was made.';
COMMENT ON COLUMN outgoing_mails.sent_at IS 'When the provider took it.';

-- ---------------------------------------------------------------------------------------------
-- Keys and audit
-- ---------------------------------------------------------------------------------------------

CREATE TABLE encryption_keys (
  id          text COLLATE "C" NOT NULL,
  check_value text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT encryption_keys_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE encryption_keys IS 'A check value for each key that ever encrypted a row here; a start with other keys is refused.';
COMMENT ON COLUMN encryption_keys.id IS 'Key id.';
COMMENT ON COLUMN encryption_keys.check_value IS 'Keyed hash of a constant under the key; says nothing about it.';
COMMENT ON COLUMN encryption_keys.created_at IS 'When the key was first seen.';

CREATE TABLE audit_entries (
  id              text COLLATE "C" NOT NULL,
  action          text NOT NULL,
  severity        text NOT NULL,
  resource_type   text NOT NULL,
  resource_id     text COLLATE "C",
  actor_reference text COLLATE "C",
  outcome         text NOT NULL,
  operation       text NOT NULL,
  ip_hash         bytea,
  user_agent_hash bytea,
  request_id      text NOT NULL,
  changes         text[] NOT NULL DEFAULT '{}',
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT audit_entries_action_shape CHECK (action ~ '^[A-Z][A-Z0-9_]{2,60}$'),
  CONSTRAINT audit_entries_severity_known CHECK (severity IN ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  CONSTRAINT audit_entries_outcome_known CHECK (outcome IN ('SUCCESS', 'DENIED', 'FAILURE'))
);
COMMENT ON TABLE audit_entries IS 'The audit trail: written in the transaction of what it records, never changed.';
COMMENT ON COLUMN audit_entries.id IS 'Record id.';
COMMENT ON COLUMN audit_entries.action IS 'What was done.';
COMMENT ON COLUMN audit_entries.severity IS 'LOW, MEDIUM, HIGH or CRITICAL.';
COMMENT ON COLUMN audit_entries.resource_type IS 'USER, QRCODE, SCAN, …';
COMMENT ON COLUMN audit_entries.resource_id IS 'Id of what it was done to; of a person, their reference.';
COMMENT ON COLUMN audit_entries.actor_reference IS 'Random reference of who did it (audit_people); null for the public and the service itself.';
COMMENT ON COLUMN audit_entries.outcome IS 'SUCCESS, DENIED or FAILURE.';
COMMENT ON COLUMN audit_entries.operation IS 'The operation or command by which it was done.';
COMMENT ON COLUMN audit_entries.ip_hash IS 'Salted SHA-256 of the address (audit_origins).';
COMMENT ON COLUMN audit_entries.user_agent_hash IS 'Salted SHA-256 of the agent (audit_origins).';
COMMENT ON COLUMN audit_entries.request_id IS 'Id of the request, as in the log.';
COMMENT ON COLUMN audit_entries.changes IS 'Names of changed fields, never values.';
COMMENT ON COLUMN audit_entries.created_at IS 'When it was done.';
CREATE INDEX audit_entries_actor_reference_idx ON audit_entries (actor_reference, id DESC);
COMMENT ON INDEX audit_entries_actor_reference_idx IS 'Serves: what somebody did, newest first, for auditors.';
CREATE INDEX audit_entries_resource_idx ON audit_entries (resource_type, resource_id, id DESC);
COMMENT ON INDEX audit_entries_resource_idx IS 'Serves: what was done to something, newest first, for auditors.';

CREATE TABLE audit_people (
  reference text COLLATE "C" NOT NULL,
  user_id   text COLLATE "C" NOT NULL,
  CONSTRAINT audit_people_pkey PRIMARY KEY (reference),
  CONSTRAINT audit_people_user_id_key UNIQUE (user_id),
  CONSTRAINT audit_people_reference_shape CHECK (reference ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE audit_people IS 'Which person a reference in the trail stands for. Erasure deletes the row; the trail stays whole.';
COMMENT ON COLUMN audit_people.reference IS 'Random reference used in the trail.';
COMMENT ON COLUMN audit_people.user_id IS 'The person.';

CREATE FUNCTION give_audit_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_people (reference, user_id)
  VALUES (left(replace(gen_random_uuid()::text, '-', ''), 24), NEW.id);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION give_audit_reference() IS 'Gives each new account the random reference that stands for it in the audit trail.';
CREATE TRIGGER users_audit_reference AFTER INSERT ON users
  FOR EACH ROW EXECUTE FUNCTION give_audit_reference();
COMMENT ON TRIGGER users_audit_reference ON users IS 'An account and its reference in the audit trail are made together.';

CREATE TABLE audit_origins (
  entry_id   text COLLATE "C" NOT NULL,
  salt       bytea NOT NULL,
  ip         text NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT audit_origins_pkey PRIMARY KEY (entry_id),
  CONSTRAINT audit_origins_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entries (id) ON DELETE RESTRICT,
  CONSTRAINT audit_origins_user_agent_bounded CHECK (length(user_agent) <= 512)
);
COMMENT ON TABLE audit_origins IS 'Address and agent of an audited request in clear, with the salt of their hashes. May be emptied; the trail stays whole.';
COMMENT ON COLUMN audit_origins.entry_id IS 'The audit entry.';
COMMENT ON COLUMN audit_origins.salt IS 'Salt of the two hashes; without it they say nothing.';
COMMENT ON COLUMN audit_origins.ip IS 'Address, truncated but for log-ins.';
COMMENT ON COLUMN audit_origins.user_agent IS 'Agent, cut to 512 characters.';

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION refuse_audit_change() IS 'Keeps the audit trail append-only.';
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
COMMENT ON TRIGGER audit_entries_append_only ON audit_entries IS 'Refuses every change to what was recorded.';
