-- Compatible with earlier versions: yes
CREATE TABLE batches (
  account_id  text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  kind        text NOT NULL,
  prefix      text NOT NULL,
  claim       text NOT NULL,
  status      text NOT NULL DEFAULT 'WAITING',
  size        integer NOT NULL,
  created     integer NOT NULL DEFAULT 0,
  printed     integer NOT NULL DEFAULT 0,
  handed_out  integer NOT NULL DEFAULT 0,
  scanned     integer NOT NULL DEFAULT 0,
  claimed     integer NOT NULL DEFAULT 0,
  titles      jsonb,
  design      jsonb NOT NULL,
  page_design jsonb NOT NULL DEFAULT '{}',
  error       jsonb,
  request_id  text NOT NULL,
  created_by  text COLLATE "C",
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  deleted_at  timestamptz(3),
  CONSTRAINT batches_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT batches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT batches_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT batches_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT batches_kind_shape CHECK (kind ~ '^[A-Z][A-Z_]{1,30}$'),
  CONSTRAINT batches_prefix_length CHECK (length(prefix) BETWEEN 1 AND 60),
  CONSTRAINT batches_claim_known CHECK (claim IN ('OPEN', 'BY_CODE')),
  CONSTRAINT batches_status_known CHECK (status IN ('WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')),
  CONSTRAINT batches_finished_complete CHECK ((status IN ('WAITING', 'RUNNING')) = (finished_at IS NULL)),
  CONSTRAINT batches_deleted_finished CHECK (deleted_at IS NULL OR finished_at IS NOT NULL),
  CONSTRAINT batches_counts_in_range CHECK (size BETWEEN 1 AND 100000 AND created BETWEEN 0 AND size AND least(printed, handed_out, scanned, claimed) >= 0)
);
COMMENT ON TABLE batches IS 'Tags that an account makes before they have an owner. A job creates their codes.';
COMMENT ON COLUMN batches.account_id IS 'Who makes and hands out the tags.';
COMMENT ON COLUMN batches.id IS 'Record id.';
COMMENT ON COLUMN batches.kind IS 'Kind of its codes.';
COMMENT ON COLUMN batches.prefix IS 'Begin of the titles of its codes, and its name in lists.';
COMMENT ON COLUMN batches.claim IS 'OPEN: whoever scans a tag can claim it. BY_CODE: only with its claim code.';
COMMENT ON COLUMN batches.status IS 'WAITING or RUNNING while a job creates the codes; COMPLETED, FAILED or CANCELED.';
COMMENT ON COLUMN batches.size IS 'How many tags were requested.';
COMMENT ON COLUMN batches.created IS 'How many tags were created; the job goes on from here.';
COMMENT ON COLUMN batches.printed IS 'How many tags were printed or exported.';
COMMENT ON COLUMN batches.handed_out IS 'How many tags were handed out.';
COMMENT ON COLUMN batches.scanned IS 'How many tags were scanned before they were claimed.';
COMMENT ON COLUMN batches.claimed IS 'How many tags were claimed.';
COMMENT ON COLUMN batches.titles IS 'Titles of the tags, in order; null for titles of prefix and number, and once it has ended.';
COMMENT ON COLUMN batches.design IS 'Design of the images: design and adjusted, as checked with the first code.';
COMMENT ON COLUMN batches.page_design IS 'Design of the pages of its codes.';
COMMENT ON COLUMN batches.error IS 'Why it FAILED: code and message.';
COMMENT ON COLUMN batches.request_id IS 'Id of the request that began it.';
COMMENT ON COLUMN batches.created_by IS 'The user who requested it; null once they are gone.';
COMMENT ON COLUMN batches.created_at IS 'When it was requested.';
COMMENT ON COLUMN batches.finished_at IS 'When the job ended.';
COMMENT ON COLUMN batches.deleted_at IS 'When it was deleted; a job deletes its unclaimed codes, then the row.';
COMMENT ON CONSTRAINT batches_pkey ON batches IS 'One row a record id.';
COMMENT ON CONSTRAINT batches_account_id_fkey ON batches IS 'Deleted with its account.';
COMMENT ON CONSTRAINT batches_created_by_fkey ON batches IS 'A user.';
COMMENT ON CONSTRAINT batches_id_shape ON batches IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT batches_kind_shape ON batches IS 'The form of the name of a kind; the application knows the list.';
COMMENT ON CONSTRAINT batches_prefix_length ON batches IS '1 to 60 characters.';
COMMENT ON CONSTRAINT batches_claim_known ON batches IS 'OPEN or BY_CODE.';
COMMENT ON CONSTRAINT batches_status_known ON batches IS 'Known states.';
COMMENT ON CONSTRAINT batches_finished_complete ON batches IS 'One that ended, and no other, has the time of its end.';
COMMENT ON CONSTRAINT batches_deleted_finished ON batches IS 'A deleted one has ended.';
COMMENT ON CONSTRAINT batches_counts_in_range ON batches IS 'At most 100,000 tags, and no more created than requested.';
CREATE TRIGGER batches_erasure_guard BEFORE INSERT ON batches
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('account_id');
COMMENT ON TRIGGER batches_erasure_guard ON batches IS 'No batch is stored for an erased account.';

CREATE TABLE batch_tags (
  account_id    text COLLATE "C" NOT NULL,
  batch_id      text COLLATE "C" NOT NULL,
  position      integer NOT NULL,
  qr_code_id    text COLLATE "C" NOT NULL,
  short_number  text COLLATE "C" NOT NULL,
  title         text NOT NULL,
  claim_code    bytea,
  printed_at    timestamptz(3),
  handed_out_at timestamptz(3),
  scanned_at    timestamptz(3),
  claimed_at    timestamptz(3),
  CONSTRAINT batch_tags_pkey PRIMARY KEY (account_id, batch_id, position),
  CONSTRAINT batch_tags_batch_fkey FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE,
  CONSTRAINT batch_tags_qr_code_id_key UNIQUE (qr_code_id),
  CONSTRAINT batch_tags_position_positive CHECK (position >= 1)
) WITH (fillfactor = 80);
COMMENT ON TABLE batch_tags IS 'The tags of a batch. A row stays when its tag is claimed: then the code belongs to another account.';
COMMENT ON COLUMN batch_tags.account_id IS 'Whose batch.';
COMMENT ON COLUMN batch_tags.batch_id IS 'The batch.';
COMMENT ON COLUMN batch_tags.position IS 'Number within the batch, from 1.';
COMMENT ON COLUMN batch_tags.qr_code_id IS 'The code, of this account until it is claimed. No foreign key: afterwards it is of another.';
COMMENT ON COLUMN batch_tags.short_number IS 'The number printed on it, without hyphens.';
COMMENT ON COLUMN batch_tags.title IS 'Title of its code while it is not claimed.';
COMMENT ON COLUMN batch_tags.claim_code IS 'What the packaging says, encrypted; null without one, and a day after it was claimed.';
COMMENT ON COLUMN batch_tags.printed_at IS 'When it was first printed or exported.';
COMMENT ON COLUMN batch_tags.handed_out_at IS 'When it was handed out.';
COMMENT ON COLUMN batch_tags.scanned_at IS 'When its page was first opened before it was claimed.';
COMMENT ON COLUMN batch_tags.claimed_at IS 'When it was claimed.';
COMMENT ON CONSTRAINT batch_tags_pkey ON batch_tags IS 'One row a number in a batch.';
COMMENT ON CONSTRAINT batch_tags_batch_fkey ON batch_tags IS 'Deleted with its batch.';
COMMENT ON CONSTRAINT batch_tags_qr_code_id_key ON batch_tags IS 'A code is of one batch; a scan finds the tag by it, and so does the rotation of keys.';
COMMENT ON CONSTRAINT batch_tags_position_positive ON batch_tags IS 'From 1.';
