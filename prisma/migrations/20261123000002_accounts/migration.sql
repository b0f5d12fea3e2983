-- Users, how they log in, and their sessions.

CREATE FUNCTION reject_erasure_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an erased account stays erased' USING ERRCODE = 'check_violation';
END
$$;
COMMENT ON FUNCTION reject_erasure_reversal() IS 'Rejects a change of the status of an erased account.';

CREATE TABLE users (
  id                text COLLATE "C" NOT NULL,
  email             text NOT NULL,
  password_hash     text,
  status            text NOT NULL DEFAULT 'PENDING_VERIFICATION',
  previous_status   text,
  role              text NOT NULL DEFAULT 'USER',
  first_name        text,
  last_name         text,
  account_type      text,
  organization_name text,
  search_text       text NOT NULL GENERATED ALWAYS AS (
    lower(email || chr(10) || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(organization_name, ''))
  )                 STORED,
  phone             bytea,
  language          text NOT NULL DEFAULT 'en',
  time_zone         text NOT NULL DEFAULT 'UTC',
  profile_picture   text,
  enterprise_mode   boolean NOT NULL DEFAULT false,
  access_epoch      integer NOT NULL DEFAULT 0,
  version           integer NOT NULL DEFAULT 1,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  updated_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_profile_picture_key UNIQUE (profile_picture),
  CONSTRAINT users_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT users_email_normalised CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  CONSTRAINT users_status_known CHECK (status IN ('PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED')),
  CONSTRAINT users_role_known CHECK (role IN ('USER', 'SUPPORT', 'AUDITOR', 'ADMIN')),
  CONSTRAINT users_account_type_known CHECK (account_type IN ('INDIVIDUAL', 'ORGANIZATION')),
  CONSTRAINT users_active_complete CHECK (status <> 'ACTIVE' OR (first_name IS NOT NULL AND last_name IS NOT NULL AND account_type IS NOT NULL)),
  CONSTRAINT users_organization_has_name CHECK (status <> 'ACTIVE' OR account_type <> 'ORGANIZATION' OR organization_name IS NOT NULL),
  CONSTRAINT users_profile_picture_shape CHECK (profile_picture ~ '^profile-[0-9]{13}-[0-9]{1,12}\.(jpg|jpeg|png)$'),
  CONSTRAINT users_previous_status_known CHECK (previous_status IN ('PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE')),
  CONSTRAINT users_previous_status_only_suspended CHECK (previous_status IS NULL OR status = 'SUSPENDED'),
  CONSTRAINT users_access_epoch_not_negative CHECK (access_epoch >= 0)
);
COMMENT ON TABLE users IS 'Users: individuals and organizations with an account.';
COMMENT ON COLUMN users.id IS 'Record id: 8 hexadecimal digits of creation time (Unix seconds), 16 of chance.';
COMMENT ON COLUMN users.email IS 'Normalised address: lower case, domain in ASCII (IDNA). One account an address.';
COMMENT ON COLUMN users.password_hash IS '<pepper id>:<bcrypt>, over a keyed hash of the password. Null until the address is confirmed.';
COMMENT ON COLUMN users.status IS 'PENDING_VERIFICATION, VERIFIED (no profile yet), ACTIVE, SUSPENDED or DELETED.';
COMMENT ON COLUMN users.previous_status IS 'Status of a suspended user before the suspension; restored with the user.';
COMMENT ON COLUMN users.role IS 'USER, SUPPORT, AUDITOR or ADMIN; what each may do is one table in the application.';
COMMENT ON COLUMN users.first_name IS 'Given name.';
COMMENT ON COLUMN users.last_name IS 'Family name.';
COMMENT ON COLUMN users.account_type IS 'INDIVIDUAL or ORGANIZATION.';
COMMENT ON COLUMN users.organization_name IS 'Name of the organization, for accounts of that type.';
COMMENT ON COLUMN users.search_text IS 'Address, name and organization in lower case, one a line, for search by staff.';
COMMENT ON COLUMN users.phone IS 'Telephone number, encrypted by the application.';
COMMENT ON COLUMN users.language IS 'Language for mails and pages (BCP 47).';
COMMENT ON COLUMN users.time_zone IS 'Time zone for days in reports (IANA name).';
COMMENT ON COLUMN users.profile_picture IS 'File name below uploads/profile-pictures.';
COMMENT ON COLUMN users.enterprise_mode IS 'Whether enterprise mode applies to this user. It applies to every user if the service enforces it.';
COMMENT ON COLUMN users.access_epoch IS 'Incremented whenever all sessions of the user are ended (new password, changed second factor, suspension, log-out everywhere). Device tokens of an earlier epoch are invalid.';
COMMENT ON COLUMN users.version IS 'Grows by one with each change of the profile; confirmation and passwords leave it.';
COMMENT ON COLUMN users.created_at IS 'When the row was made.';
COMMENT ON COLUMN users.updated_at IS 'When the row was last changed.';
COMMENT ON CONSTRAINT users_email_normalised ON users IS 'An address is stored in lower case, so that unique means one account an address.';
COMMENT ON CONSTRAINT users_active_complete ON users IS 'Who is ACTIVE has a profile: both names and a type of account.';
COMMENT ON CONSTRAINT users_organization_has_name ON users IS 'An active organization has a name.';
COMMENT ON CONSTRAINT users_profile_picture_shape ON users IS 'A file name that the service makes, and no path.';
COMMENT ON CONSTRAINT users_previous_status_known ON users IS 'A status that a suspended account can be restored to.';
COMMENT ON CONSTRAINT users_previous_status_only_suspended ON users IS 'Only a suspended account has a previous status.';
CREATE INDEX users_role_idx ON users (role) WHERE role <> 'USER';
COMMENT ON INDEX users_role_idx IS 'Serves: is there an administrator? Staff are few.';
CREATE INDEX users_search_idx ON users USING gin (search_text gin_trgm_ops);
COMMENT ON INDEX users_search_idx IS 'Serves: search for users by staff, three letters or more.';
CREATE INDEX users_status_idx ON users (status, created_at DESC, id DESC);
COMMENT ON INDEX users_status_idx IS 'Serves: the users of a status, newest first, and their number.';
CREATE INDEX users_created_at_idx ON users (created_at DESC, id DESC);
COMMENT ON INDEX users_created_at_idx IS 'Serves: all users, newest first, for administrators.';
CREATE TRIGGER users_erasure_final BEFORE UPDATE ON users
  FOR EACH ROW WHEN (OLD.status = 'DELETED' AND NEW.status <> 'DELETED') EXECUTE FUNCTION reject_erasure_reversal();
COMMENT ON TRIGGER users_erasure_final ON users IS 'An erased account stays erased.';

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
  CONSTRAINT pending_registrations_picture_complete CHECK ((picture IS NULL) = (picture_extension IS NULL)),
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
COMMENT ON CONSTRAINT pending_registrations_attempts_bounded ON pending_registrations IS 'Five tries at the most.';
COMMENT ON CONSTRAINT pending_registrations_picture_complete ON pending_registrations IS 'A picture and its kind come together.';
CREATE INDEX pending_registrations_user_id_idx ON pending_registrations (user_id, created_at DESC, id DESC);
COMMENT ON INDEX pending_registrations_user_id_idx IS 'Serves: the registrations of an address that wait, newest first.';

CREATE TABLE password_resets (
  id         text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT password_resets_pkey PRIMARY KEY (id),
  CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT password_resets_token_hash_key UNIQUE (token_hash),
  CONSTRAINT password_resets_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE password_resets IS 'Password reset links sent to users; each works once.';
COMMENT ON COLUMN password_resets.id IS 'Record id.';
COMMENT ON COLUMN password_resets.user_id IS 'Whose password.';
COMMENT ON COLUMN password_resets.token_hash IS 'SHA-256 of the 256-bit token in the link.';
COMMENT ON COLUMN password_resets.expires_at IS 'End of its thirty minutes.';
COMMENT ON COLUMN password_resets.used_at IS 'When it was used, or made worthless by another.';
COMMENT ON COLUMN password_resets.created_at IS 'When the row was made.';
CREATE INDEX password_resets_user_id_idx ON password_resets (user_id);
COMMENT ON INDEX password_resets_user_id_idx IS 'Serves: invalidating the other links of a user once one was used.';
CREATE TRIGGER password_resets_erasure_guard BEFORE INSERT ON password_resets
  FOR EACH ROW EXECUTE FUNCTION skip_erased_account();
COMMENT ON TRIGGER password_resets_erasure_guard ON password_resets IS 'No reset link is created for an erased account.';

-- ---------------------------------------------------------------------------------------------
-- Sessions
-- ---------------------------------------------------------------------------------------------

CREATE TABLE sessions (
  id           text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL,
  ip           text NOT NULL,
  network      text,
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
  CONSTRAINT sessions_end_complete CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
  CONSTRAINT sessions_end_reason_known CHECK (end_reason IN (
    'LOGOUT', 'REVOKED', 'PASSWORD_RESET', 'PASSWORD_CHANGED', 'REFRESH_REUSE', 'SUSPENDED', 'ROLE_CHANGED',
    'ENDED_BY_ADMINISTRATOR', 'IDLE', 'SECOND_FACTOR_CHANGED', 'IDENTITY_LINKED', 'ERASED'))
);
COMMENT ON TABLE sessions IS 'One row a log-in; read on every request, so that an ended session counts from the next one.';
COMMENT ON COLUMN sessions.id IS 'Record id; named in the access token.';
COMMENT ON COLUMN sessions.user_id IS 'Whose session.';
COMMENT ON COLUMN sessions.ip IS 'Address at log-in, whole.';
COMMENT ON COLUMN sessions.network IS 'Address at log-in without the part that names one person (/24, /48): whether a network is new.';
COMMENT ON COLUMN sessions.user_agent IS 'Agent at log-in, cut to 512 characters.';
COMMENT ON COLUMN sessions.created_at IS 'Time of log-in.';
COMMENT ON COLUMN sessions.last_used_at IS 'Time of the last refresh; in enterprise mode of the last request, to the minute.';
COMMENT ON COLUMN sessions.expires_at IS 'End of the newest refresh token.';
COMMENT ON COLUMN sessions.ended_at IS 'When it was ended before that.';
COMMENT ON COLUMN sessions.end_reason IS 'Why it was ended.';
COMMENT ON CONSTRAINT sessions_end_complete ON sessions IS 'An end has a time and a reason, or neither.';
CREATE INDEX sessions_user_id_idx ON sessions (user_id, created_at DESC, id DESC);
COMMENT ON INDEX sessions_user_id_idx IS 'Serves: a user''s sessions, newest first, their last log-in, and the deletion of a user.';
CREATE INDEX sessions_network_idx ON sessions (user_id, network);
COMMENT ON INDEX sessions_network_idx IS 'Serves: whether a user logged in from a network before.';
CREATE TRIGGER sessions_erasure_guard BEFORE INSERT ON sessions
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER sessions_erasure_guard ON sessions IS 'No session is created for an erased account.';

CREATE TABLE refresh_tokens (
  id         text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  rotated_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE,
  CONSTRAINT refresh_tokens_token_hash_key UNIQUE (token_hash),
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

-- ---------------------------------------------------------------------------------------------
-- Sign-in with an identity provider
-- ---------------------------------------------------------------------------------------------

CREATE TABLE user_identities (
  id           text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL,
  issuer       text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  email        text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT user_identities_pkey PRIMARY KEY (id),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT user_identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT user_identities_user_id_issuer_key UNIQUE (user_id, issuer),
  CONSTRAINT user_identities_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT user_identities_issuer_bounded CHECK (length(issuer) BETWEEN 1 AND 2048),
  CONSTRAINT user_identities_subject_bounded CHECK (length(subject) BETWEEN 1 AND 255),
  CONSTRAINT user_identities_email_normalised CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254)
);
COMMENT ON TABLE user_identities IS 'Accounts at identity providers by which users log in. A user is found by issuer and subject, never by the address.';
COMMENT ON COLUMN user_identities.id IS 'Record id.';
COMMENT ON COLUMN user_identities.user_id IS 'Whose identity.';
COMMENT ON COLUMN user_identities.issuer IS 'Issuer of the ID tokens (OpenID Connect); "sandbox" is the emulator of a machine without a provider.';
COMMENT ON COLUMN user_identities.subject IS 'The provider''s identifier of the user; never reassigned.';
COMMENT ON COLUMN user_identities.email IS 'Address at the provider when it was linked, normalised; shows the user which account it is.';
COMMENT ON COLUMN user_identities.created_at IS 'When it was linked.';
COMMENT ON COLUMN user_identities.last_used_at IS 'When the provider last confirmed the identity.';
COMMENT ON INDEX user_identities_pkey IS 'The record id.';
COMMENT ON INDEX user_identities_issuer_subject_key IS 'Serves: the user of an ID token. One account per subject.';
COMMENT ON INDEX user_identities_user_id_issuer_key IS 'Serves: a user''s identities, and the deletion of a user. One subject of an issuer per user, so that an address that a provider reassigned gives no access.';
COMMENT ON CONSTRAINT user_identities_issuer_bounded ON user_identities IS 'From 1 to 2048 characters.';
COMMENT ON CONSTRAINT user_identities_subject_bounded ON user_identities IS 'From 1 to 255 characters, as OpenID Connect has it.';
COMMENT ON CONSTRAINT user_identities_email_normalised ON user_identities IS 'An address is stored in lower case.';

CREATE TABLE sign_in_codes (
  id             text COLLATE "C" NOT NULL,
  identity_id    text COLLATE "C" NOT NULL,
  code_hash      bytea NOT NULL,
  code_challenge text,
  expires_at     timestamptz(3) NOT NULL,
  used_at        timestamptz(3),
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_codes_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_codes_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES user_identities (id) ON DELETE CASCADE,
  CONSTRAINT sign_in_codes_code_hash_key UNIQUE (code_hash),
  CONSTRAINT sign_in_codes_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT sign_in_codes_code_hash_is_sha256 CHECK (length(code_hash) = 32),
  CONSTRAINT sign_in_codes_code_challenge_shape CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$')
);
COMMENT ON TABLE sign_in_codes IS 'One-time codes that a sign-in hands to the front end, which changes them for tokens within a minute.';
COMMENT ON COLUMN sign_in_codes.id IS 'Record id.';
COMMENT ON COLUMN sign_in_codes.identity_id IS 'The identity that the provider confirmed.';
COMMENT ON COLUMN sign_in_codes.code_hash IS 'SHA-256 of the 256-bit code.';
COMMENT ON COLUMN sign_in_codes.code_challenge IS 'SHA-256 of the secret of the client that began (RFC 7636, S256), which it must show; null where a cookie bound the sign-in to the browser.';
COMMENT ON COLUMN sign_in_codes.expires_at IS 'End of its minute.';
COMMENT ON COLUMN sign_in_codes.used_at IS 'When it was used up.';
COMMENT ON COLUMN sign_in_codes.created_at IS 'When the row was made.';
COMMENT ON INDEX sign_in_codes_pkey IS 'The record id.';
COMMENT ON INDEX sign_in_codes_code_hash_key IS 'Serves: the exchange of a code.';
COMMENT ON CONSTRAINT sign_in_codes_code_challenge_shape ON sign_in_codes IS 'A SHA-256 in base64url, as PKCE has it.';
CREATE INDEX sign_in_codes_identity_id_idx ON sign_in_codes (identity_id);
COMMENT ON INDEX sign_in_codes_identity_id_idx IS 'Serves: the deletion of an identity.';
CREATE INDEX sign_in_codes_expires_at_idx ON sign_in_codes (expires_at);
COMMENT ON INDEX sign_in_codes_expires_at_idx IS 'Serves: clean-up.';

CREATE TABLE used_sign_in_proofs (
  kind       text COLLATE "C" NOT NULL,
  proof_hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT used_sign_in_proofs_pkey PRIMARY KEY (kind, proof_hash),
  CONSTRAINT used_sign_in_proofs_kind_known CHECK (kind IN ('STATE', 'ID_TOKEN')),
  CONSTRAINT used_sign_in_proofs_proof_hash_is_sha256 CHECK (length(proof_hash) = 32)
);
COMMENT ON TABLE used_sign_in_proofs IS 'States and ID tokens of sign-ins that were used, so that no instance accepts them again before they expire.';
COMMENT ON COLUMN used_sign_in_proofs.kind IS 'STATE (of a round trip through the provider) or ID_TOKEN (that a native application sent).';
COMMENT ON COLUMN used_sign_in_proofs.proof_hash IS 'SHA-256 of the state or of what the ID token''s signature covers.';
COMMENT ON COLUMN used_sign_in_proofs.expires_at IS 'When the proof expires and the row can be deleted.';
COMMENT ON INDEX used_sign_in_proofs_pkey IS 'Serves: only one of several parallel uses succeeds.';
CREATE INDEX used_sign_in_proofs_expires_at_idx ON used_sign_in_proofs (expires_at);
COMMENT ON INDEX used_sign_in_proofs_expires_at_idx IS 'Serves: clean-up.';

-- ---------------------------------------------------------------------------------------------
-- Second factor
-- ---------------------------------------------------------------------------------------------

CREATE TABLE second_factors (
  user_id       text COLLATE "C" NOT NULL,
  secret        bytea NOT NULL,
  confirmed_at  timestamptz(3),
  pending_until timestamptz(3),
  last_step     bigint,
  wrong_codes   integer NOT NULL DEFAULT 0,
  CONSTRAINT second_factors_pkey PRIMARY KEY (user_id),
  CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT second_factors_pending_or_confirmed CHECK ((confirmed_at IS NULL) <> (pending_until IS NULL)),
  CONSTRAINT second_factors_confirmed_has_step CHECK ((confirmed_at IS NULL) = (last_step IS NULL)),
  CONSTRAINT second_factors_wrong_codes_not_negative CHECK (wrong_codes >= 0)
);
COMMENT ON TABLE second_factors IS 'Second factors by one-time passwords (TOTP, RFC 6238): at most one per user, required at log-in once it is confirmed.';
COMMENT ON COLUMN second_factors.user_id IS 'Whose.';
COMMENT ON COLUMN second_factors.secret IS 'The secret shared with the authenticator application, encrypted by the application.';
COMMENT ON COLUMN second_factors.confirmed_at IS 'When its first code was entered; until then it is asked for nowhere.';
COMMENT ON COLUMN second_factors.pending_until IS 'Until when it can be confirmed.';
COMMENT ON COLUMN second_factors.last_step IS 'Number of the 30 s step (since 1970) whose code was used last: a code of this or an earlier one is refused.';
COMMENT ON COLUMN second_factors.wrong_codes IS 'Wrong codes since the last right one; from a limit on a recovery code or a known device is needed.';
COMMENT ON CONSTRAINT second_factors_pending_or_confirmed ON second_factors IS 'A second factor is confirmed, or waits for it until a time.';
COMMENT ON CONSTRAINT second_factors_confirmed_has_step ON second_factors IS 'A confirmed second factor has the step of the code that confirmed it.';
CREATE INDEX second_factors_pending_until_idx ON second_factors (pending_until) WHERE confirmed_at IS NULL;
COMMENT ON INDEX second_factors_pending_until_idx IS 'Serves: clean-up of secrets that nobody confirmed.';

CREATE TABLE recovery_codes (
  user_id   text COLLATE "C" NOT NULL,
  code_hash bytea NOT NULL,
  used_at   timestamptz(3),
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors (user_id) ON DELETE CASCADE
);
COMMENT ON TABLE recovery_codes IS 'Codes that stand for a second factor that was lost; each works once.';
COMMENT ON COLUMN recovery_codes.user_id IS 'Whose.';
COMMENT ON COLUMN recovery_codes.code_hash IS 'Keyed hash of user and code.';
COMMENT ON COLUMN recovery_codes.used_at IS 'When it was used.';

CREATE TABLE pending_logins (
  token_hash     bytea NOT NULL,
  user_id        text COLLATE "C" NOT NULL,
  password_state bytea NOT NULL,
  expires_at     timestamptz(3) NOT NULL,
  CONSTRAINT pending_logins_pkey PRIMARY KEY (token_hash),
  CONSTRAINT pending_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors (user_id) ON DELETE CASCADE
);
COMMENT ON TABLE pending_logins IS 'Log-ins whose first step was right and whose second factor is awaited; a row goes with the log-in that it becomes.';
COMMENT ON COLUMN pending_logins.token_hash IS 'Keyed hash of the token that the client holds meanwhile.';
COMMENT ON COLUMN pending_logins.user_id IS 'Who logs in.';
COMMENT ON COLUMN pending_logins.password_state IS 'Keyed hash of the stored password at the first step: a password changed since makes the row worthless.';
COMMENT ON COLUMN pending_logins.expires_at IS 'End of its five minutes.';
CREATE INDEX pending_logins_user_id_idx ON pending_logins (user_id);
COMMENT ON INDEX pending_logins_user_id_idx IS 'Serves: the deletion of a second factor.';
CREATE INDEX pending_logins_expires_at_idx ON pending_logins (expires_at);
COMMENT ON INDEX pending_logins_expires_at_idx IS 'Serves: clean-up.';
