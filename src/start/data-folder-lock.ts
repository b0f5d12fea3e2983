import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPrivateFolder, getSystemErrorCode } from './private-file.ts';

// A lock is a socket that its process listens on: the kernel closes it, whereas process ids are reused.
const SOCKET_NAME_PATTERN = /^service-(\d+)-[0-9a-f]{12}\.sock$/;

// Kernels limit socket paths to about a hundred bytes.
const MAX_SOCKET_PATH_BYTES = 100;

export class DataFolderInUseError extends Error {
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `The data folder ${dataDir} is in use by process ${pid}. Stop it, or set another DATA_DIR. If it uses an external database, set the same DATABASE_URL for this command.`,
    );
    this.name = 'DataFolderInUseError';
    this.pid = pid;
  }
}

export interface DataFolderLock {
  release(): Promise<void>;
}

/** Lock the data folder (mode 0700) for one process; removes what a killed one left. @throws DataFolderInUseError */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  const folder = resolve(dataDir);
  await createPrivateFolder(folder);
  const name = `service-${process.pid}-${randomBytes(6).toString('hex')}.sock`;
  const state = { isLocked: false };
  const server = await listenOnLockSocket(folder, name, state);
  const release = async () => {
    server.close();
    await rm(join(folder, name), { force: true });
  };
  try {
    await assertNoOtherOwner(folder, name);
  } catch (error) {
    await release();
    throw error;
  }
  state.isLocked = true;
  return { release };
}

// Publish first, then check: of two processes the later check sees the other.
async function listenOnLockSocket(
  folder: string,
  name: string,
  state: { isLocked: boolean },
): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(state.isLocked ? 'held' : 'wanted');
  });
  await runWithShortPath(folder, (short) => {
    return new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(join(short, `.${name}`), done);
    });
  });
  server.unref();
  // Renamed once it responds, or others would take it for a leftover.
  await rename(join(folder, `.${name}`), join(folder, name));
  return server;
}

async function assertNoOtherOwner(folder: string, name: string): Promise<void> {
  for (;;) {
    const others = (await readdir(folder)).filter(
      (other) => SOCKET_NAME_PATTERN.test(other) && other !== name,
    );
    if (others.length === 0) return;
    for (const other of others) {
      const answer = await queryLockSocket(folder, other);
      if (answer === 'gone') await rm(join(folder, other), { force: true });
      // Of several candidates the first by name goes on, and waits for the others to give up.
      if (answer === 'held' || (answer === 'wanted' && other < name)) {
        throw new DataFolderInUseError(folder, Number(SOCKET_NAME_PATTERN.exec(other)?.[1]));
      }
    }
    await sleep(10);
  }
}

async function queryLockSocket(folder: string, name: string): Promise<'held' | 'wanted' | 'unsure' | 'gone'> {
  return runWithShortPath(folder, (short) => {
    return new Promise((done) => {
      const socket = connect(join(short, name));
      // A stopped or busy process does not respond, but still has the lock.
      socket.setTimeout(2_000, () => {
        socket.destroy();
        done('held');
      });
      socket.on('error', (error) => done(toLockState(getSystemErrorCode(error))));
      socket.on('data', (text) => done(String(text) === 'held' ? 'held' : 'wanted'));
      socket.on('close', () => done('unsure'));
    });
  });
}

function toLockState(code: string | undefined): 'held' | 'unsure' | 'gone' {
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'gone';
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'unsure' : 'held';
}

async function runWithShortPath<T>(folder: string, use: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(folder) + 40 <= MAX_SOCKET_PATH_BYTES) return use(folder);
  const short = join(tmpdir(), `qr-${randomBytes(6).toString('hex')}`);
  await symlink(folder, short);
  try {
    return await use(short);
  } finally {
    await rm(short, { force: true });
  }
}
