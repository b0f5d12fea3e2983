-- What people with an open socket hear: a stream of events for each account and for each conversation.

CREATE TABLE realtime_streams (
  stream          text COLLATE "C" NOT NULL,
  user_id         text COLLATE "C",
  conversation_id text COLLATE "C",
  last            bigint NOT NULL,
  last_id         text COLLATE "C" NOT NULL,
  CONSTRAINT realtime_streams_pkey PRIMARY KEY (stream),
  CONSTRAINT realtime_streams_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT realtime_streams_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT realtime_streams_name_whole CHECK (coalesce(stream = 'u:' || user_id, false) <> coalesce(stream = 'c:' || conversation_id, false)),
  CONSTRAINT realtime_streams_last_positive CHECK (last > 0),
  CONSTRAINT realtime_streams_last_id_shape CHECK (last_id ~ '^[0-9a-f]{24}$')
) WITH (fillfactor = 70);
COMMENT ON TABLE realtime_streams IS 'Streams of events: one for an account, one for a conversation. Whoever adds an event holds the row until they commit, so that events are numbered in the order in which they can be seen.';
COMMENT ON COLUMN realtime_streams.stream IS 'u: and the id of an account, or c: and the id of a conversation.';
COMMENT ON COLUMN realtime_streams.user_id IS 'The account; null of a conversation.';
COMMENT ON COLUMN realtime_streams.conversation_id IS 'The conversation; null of an account.';
COMMENT ON COLUMN realtime_streams.last IS 'Number of the last event, which may be gone already.';
COMMENT ON COLUMN realtime_streams.last_id IS 'Its id.';
COMMENT ON CONSTRAINT realtime_streams_pkey ON realtime_streams IS 'One row a stream.';
COMMENT ON CONSTRAINT realtime_streams_user_id_fkey ON realtime_streams IS 'With the account.';
COMMENT ON CONSTRAINT realtime_streams_conversation_id_fkey ON realtime_streams IS 'With the conversation.';
COMMENT ON CONSTRAINT realtime_streams_name_whole ON realtime_streams IS 'The name says whose it is: of an account or of a conversation.';
COMMENT ON CONSTRAINT realtime_streams_last_positive ON realtime_streams IS 'Numbers begin with one.';
COMMENT ON CONSTRAINT realtime_streams_last_id_shape ON realtime_streams IS 'A record id: 24 hexadecimal digits.';
-- Not unique, though they are by the name: INSERT … ON CONFLICT (stream) would fail at a second unique index when two begin a stream at once.
CREATE INDEX realtime_streams_user_id_idx ON realtime_streams (user_id);
COMMENT ON INDEX realtime_streams_user_id_idx IS 'Serves: the removal of an account.';
CREATE INDEX realtime_streams_conversation_id_idx ON realtime_streams (conversation_id);
COMMENT ON INDEX realtime_streams_conversation_id_idx IS 'Serves: the removal of a conversation.';
CREATE TRIGGER realtime_streams_of_living BEFORE INSERT ON realtime_streams
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION skip_for_erased();
COMMENT ON TRIGGER realtime_streams_of_living ON realtime_streams IS 'An erased account hears nothing.';

CREATE TABLE realtime_events (
  stream     text COLLATE "C" NOT NULL,
  seq        bigint NOT NULL,
  id         text COLLATE "C" NOT NULL,
  event      text NOT NULL,
  data       jsonb NOT NULL,
  -- Not the transaction's beginning: within a stream times must not run against the numbers.
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT realtime_events_pkey PRIMARY KEY (stream, seq),
  CONSTRAINT realtime_events_stream_id_key UNIQUE (stream, id),
  CONSTRAINT realtime_events_stream_fkey FOREIGN KEY (stream) REFERENCES realtime_streams (stream) ON DELETE CASCADE,
  CONSTRAINT realtime_events_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT realtime_events_event_shape CHECK (event ~ '^[a-z]+\.[a-z]+$')
);
COMMENT ON TABLE realtime_events IS 'Events that sockets hear; kept for seven days, for those who were away.';
COMMENT ON COLUMN realtime_events.stream IS 'The stream.';
COMMENT ON COLUMN realtime_events.seq IS 'Number within the stream, without gaps.';
COMMENT ON COLUMN realtime_events.id IS 'Record id; the same event has the same id in each of its streams.';
COMMENT ON COLUMN realtime_events.event IS 'What happened, such as message.created.';
COMMENT ON COLUMN realtime_events.data IS 'Ids of what it is about; nothing that anybody wrote.';
COMMENT ON COLUMN realtime_events.created_at IS 'When it was added.';
COMMENT ON CONSTRAINT realtime_events_pkey ON realtime_events IS 'A number is given once in a stream. Serves: what is new in a stream.';
COMMENT ON CONSTRAINT realtime_events_stream_id_key ON realtime_events IS 'An event is once in a stream. Serves: where somebody stopped who was away.';
COMMENT ON CONSTRAINT realtime_events_stream_fkey ON realtime_events IS 'With the stream.';
COMMENT ON CONSTRAINT realtime_events_id_shape ON realtime_events IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT realtime_events_event_shape ON realtime_events IS 'A noun, a point and a verb.';
CREATE INDEX realtime_events_created_at_idx ON realtime_events (created_at);
COMMENT ON INDEX realtime_events_created_at_idx IS 'Serves: the removal of what is old.';
