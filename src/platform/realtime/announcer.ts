import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import type { RedisLink } from '../redis.ts';
import { notifyListeners } from './announcement.repository.ts';
import { openListener } from './listener.ts';
import { type Notice, noticeOf, textsOf, type Whisper } from './notices.ts';

/** What processes tell each other: where something is new, and what is too fleeting to be stored. May be lost. */
export interface Announcer {
  /** Has this process look there at once, and the others soon; null: everywhere. */
  tell(words: Iterable<string> | null): void;
  /** Passes a whisper on to the others. */
  whisper(whisper: Whisper): void;
  /** Has `listener` hear what this process and, once `listen` was called, others tell. */
  hear(listener: (notice: Notice) => void): void;
  /** Begins to listen to other processes. The same again does nothing. */
  listen(): void;
  /** Tells what is left to be told, and stops listening. */
  stop(): Promise<void>;
}

/** Others are told once in so many milliseconds at most. */
const PAUSE_MS = 50;
/** Whispers beyond so many a pause are not passed on. */
const MOST_WHISPERS = 2_000;

const CHANNEL = 'qr:realtime';
const PUBLISH = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

interface Services {
  database: Pick<Database, 'pool' | 'onCommit'>;
  redis: Pick<RedisLink, 'run' | 'subscribe'> | null;
  log: { warn(details: object, message: string): void };
}

/**
 * Tells what commits of this process leave (`tellAfterCommit`): by Redis where there is one and it answers, else by a
 * notification of the database.
 */
export function createAnnouncer({ database, redis, log }: Services): Announcer {
  const from = randomUUID();
  const listeners = new Set<(notice: Notice) => void>();
  let words = new Set<string>();
  let isEverywhere = false;
  let whispers: Whisper[] = [];
  let timer: NodeJS.Timeout | undefined;
  let under: Promise<void> | null = null;
  let toldAt = 0;
  const closers: (() => unknown)[] = [database.onCommit((news) => tell(news))];
  let isListening = false;
  let isStopped = false;

  function tell(more: Iterable<string> | null): void {
    const all = more && [...more];
    if (all) for (const word of all) words.add(word);
    else isEverywhere = true;
    pass({ from, words: all, whispers: [] });
    plan();
  }

  function pass(notice: Notice): void {
    for (const listener of listeners) listener(notice);
  }

  function plan(): void {
    if (timer || under || isStopped) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        toldAt = performance.now();
        under = send().finally(() => {
          under = null;
          if (isEverywhere || words.size + whispers.length > 0) plan();
        });
      },
      Math.max(0, toldAt + PAUSE_MS - performance.now()),
    ).unref();
  }

  async function send(): Promise<void> {
    const texts = textsOf(from, isEverywhere ? null : [...words], whispers);
    isEverywhere = false;
    words = new Set();
    whispers = [];
    if (texts.length === 0) return;
    // What is not told is found when the others look by themselves.
    await sendBy(texts).catch(() => undefined);
  }

  async function sendBy(texts: readonly string[]): Promise<void> {
    if (!redis) return notifyListeners(database.pool, texts);
    try {
      for (const text of texts)
        await redis.run({ text: PUBLISH, keys: [CHANNEL], args: [text] }, () => undefined);
    } catch {
      await notifyListeners(database.pool, texts);
    }
  }

  function hearText(text: string): void {
    const notice = noticeOf(text);
    if (notice.from !== from) pass(notice);
  }

  return {
    tell,
    whisper(whisper) {
      if (whispers.length < MOST_WHISPERS) whispers.push(whisper);
      plan();
    },
    hear: (listener) => void listeners.add(listener),
    listen() {
      if (isListening) return;
      isListening = true;
      const { connectionString = '' } = database.pool.options;
      const onConnected = () => pass({ from, words: null, whispers: [] });
      const listener = openListener({ connectionString, onText: hearText, onConnected, log });
      closers.push(() => listener.close());
      if (redis) closers.push(redis.subscribe(CHANNEL, hearText));
    },
    async stop() {
      isStopped = true;
      listeners.clear();
      const [commits, ...rest] = closers;
      commits?.();
      clearTimeout(timer);
      await under;
      await send();
      await Promise.all(rest.map((close) => close()));
    },
  };
}
