export interface BannedWord {
  /** Matched against the words of a name in lower case, joined by spaces: `tellOwner` is "tell owner". */
  words: RegExp;
  use: string;
  /** Files and names in which the word is a domain term. */
  allowedIn?: RegExp;
}

export const BANNED_WORDS: readonly BannedWord[] = [
  { words: /\b(person|persons|people)\b/, use: 'user' },
  { words: /\b(tell|tells|told|telling|teller|tellers)\b/, use: 'notify, Notifier' },
  { words: /\b(announce|announces|announced|announcer)\b/, use: 'publish, RealtimeBus' },
  { words: /\bwhispers?\b/, use: 'ephemeral event' },
  { words: /\bhears?\b/, use: 'subscribe' },
  { words: /\bnews\b/, use: 'event, notification' },
  { words: /\bturns?\b/, use: 'queue, slot, limiter' },
  { words: /\blanes?\b/, use: 'queue, limiter' },
  { words: /\bfull line\b/, use: 'queue is full' },
  { words: /\b(pace|paces|paced)\b/, use: 'rate limiter' },
  { words: /^(most|least|longest|deepest)\b/, use: 'MAX_, MIN_' },
  { words: /\bat once$/, use: 'CONCURRENCY' },
  { words: /\bpieces?\b/, use: 'chunk, BATCH_SIZE, CHUNK_BYTES' },
  {
    words: /\b(seal|seals|sealed|sealing|unseal|unsealed)\b/,
    use: 'encrypt, decrypt',
    allowedIn: /audit|trail/,
  },
  { words: /\bvaults?\b/, use: 'FieldCipher' },
  { words: /(?<!\bbreak )\bglass\b/, use: 'breakGlass' },
  { words: /\bstand ins?\b|\bstandins?\b/, use: 'emulator, local, fake' },
  { words: /\b(mend|mends|mended|mending)\b/, use: 'repair' },
  { words: /\b(damage|damages|damaged)\b/, use: 'integrity failure' },
  { words: /\bholders?\b/, use: 'user, instance', allowedIn: /kinds\/document/ },
  { words: /\b(hold|holds|held)\b/, use: 'lock, deferred' },
  { words: /\brehearsals?\b/, use: 'test-mode purchase' },
  { words: /\bdeeds?\b/, use: 'scenario' },
  { words: /\bdoors?\b/, use: 'requestContext, authentication' },
  { words: /\b(desk|desks)\b/, use: 'the name of the service or route' },
  { words: /\boffices?\b/, use: 'mail outbox, push outbox', allowedIn: /documents?|office/ },
  { words: /\bkeepers?\b/, use: 'EncryptedFileStore' },
  { words: /\bmoods?\b|\bloose\b/, use: 'test…, fake…' },
  { words: /\bpatience\b/, use: '…_TIMEOUT_MS' },
  { words: /\baway\b/, use: 'unavailable' },
  { words: /\brooms?\b/, use: 'quota, usage, socket registry' },
  { words: /\blooks?\b/, use: 'sync, access, view' },
  { words: /\bwish(es)?\b/, use: 'preferences, recipient' },
  { words: /\btends?\b/, use: 'canEdit, authorizeCaretaker' },
  { words: /\bsays?\b/, use: 'message, t()' },
  { words: /\bsentences?\b|\bin words$/, use: 'message, format…' },
  { words: /\bfits?\b/, use: 'truncate' },
  { words: /\bspends?\b/, use: 'consumeAttempt' },
  { words: /\badmit|\blet (in|pass|listen)\b/, use: 'createSession, completeLogin, authorize…' },
  { words: /\b(take|give|hand) back\b/, use: 'revoke, refund, requeue' },
  { words: /\buseless\b/, use: 'assertBucketUsable' },
  { words: /\bcomplaints?\b/, use: 'errorMessage' },
  { words: /\bunsent\b/, use: 'draft' },
  { words: /\btraps?\b/, use: 'honeypot' },
  { words: /\b(gather|gathered|gathering)\b/, use: 'digest, digest item' },
  { words: /\bbeginnings\b/, use: 'signature' },
  { words: /\bunnoted\b/, use: 'unqueued' },
  { words: /\blast way in\b/, use: 'LAST_SIGN_IN_METHOD' },
  { words: /\bnot dead\b/, use: 'JOB_NOT_FAILED' },
  { words: /\bfor all$/, use: 'ENFORCED_GLOBALLY' },
  { words: /^was\b/, use: 'previous…, before' },
  { words: /^(given|asked|kept|seen|shown)$/, use: 'a noun: input, options, row' },
];

/** Names that contain a banned word but stay, with the reason. */
export const ALLOWED_NAMES: readonly { words: RegExp; reason: string }[] = [
  { words: /^fit$/, reason: 'option of sharp' },
  { words: /^was paused$/, reason: 'key of stored JSON (qr_codes.lost_details)' },
  { words: /^reason damaged$/, reason: 'field of the API' },
  { words: /^damaged$/, reason: 'field of memory-tag.json in a memorial archive' },
  { words: /^seal hash$/, reason: 'column of audit_seals' },
  { words: /^truncate to fit$/, reason: 'already says truncate' },
];
