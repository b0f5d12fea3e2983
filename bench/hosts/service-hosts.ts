import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getNodeArguments } from '../child-process.ts';
import { createHostProcess } from './host-process.ts';
import { getAddress } from './network.ts';
import { getDatabaseUrl } from './postgres-servers.ts';

export const APP_HOSTS = ['app1', 'app2'] as const;
export const WORKER_HOSTS = ['worker1', 'worker2'] as const;
export const SERVICE_HOSTS = [...APP_HOSTS, ...WORKER_HOSTS] as const;

export type ServiceHost = (typeof SERVICE_HOSTS)[number];

const S3_PORT = 9000;
const REDIS_PORT = 6379;
const APP_PORT = 3000;
const METRICS_PORT = 9100;
const READY_TIMEOUT_MS = 120_000;

/** As a supervisor waits, such as systemd with `RestartSec=1`. */
export const RESTART_DELAY_MS = 1_000;

/** If no instance is ready, requests go to all of them, which answer better than the proxy. */
const PROXY_SETTINGS = `
global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 15s
  timeout check 2s
  option redispatch
  option forwardfor
frontend public
  bind ${getAddress('proxy')}:80
  default_backend instances
backend instances
  option httpchk GET /api/health/ready
  option allbackups
  default-server inter 500ms fall 2 rise 1
${APP_HOSTS.map((host) => `  server ${host} ${getAddress(host)}:${APP_PORT} check\n  server ${host}-unchecked ${getAddress(host)}:${APP_PORT} backup`).join('\n')}
`;

export const PUBLIC_URL = `http://${getAddress('proxy')}`;

export type ServiceHosts = ReturnType<typeof createServiceHosts>;

/** Prepare Redis, S3, the proxy, two instances and two workers; none is started. */
export function createServiceHosts(folder: string) {
  const logFile = (name: string) => join(folder, `${name}.log`);
  const proxyFile = join(folder, 'haproxy.cfg');
  writeFileSync(proxyFile, PROXY_SETTINGS);
  const bucket = join(folder, 'bucket');
  mkdirSync(bucket);
  const redisCommand = ['redis-server', '--bind', getAddress('redis'), '--port', String(REDIS_PORT)];
  const environment = createEnvironment();
  const createService = (host: ServiceHost) => {
    const isApp = host.startsWith('app');
    return createHostProcess(host, {
      command: [process.execPath, ...getServiceArguments(isApp ? 'server' : 'commands/worker')],
      environment: {
        ...environment,
        HOST: getAddress(host),
        METRICS_HOST: getAddress(host),
        DATA_DIR: getDataFolder(folder, host),
      },
      logFile: logFile(host),
      restartDelayMs: RESTART_DELAY_MS,
    });
  };
  return {
    proxy: createHostProcess('proxy', {
      command: ['haproxy', '-db', '-f', proxyFile],
      logFile: logFile('proxy'),
    }),
    redis: createHostProcess('redis', {
      command: [...redisCommand, '--protected-mode', 'no', '--save', '', '--dir', folder],
      logFile: logFile('redis'),
    }),
    s3: createHostProcess('s3', {
      command: [
        process.execPath,
        ...getNodeArguments('bench/hosts/s3-process.ts'),
        bucket,
        getAddress('s3'),
        String(S3_PORT),
      ],
      logFile: logFile('s3'),
    }),
    app1: createService('app1'),
    app2: createService('app2'),
    worker1: createService('worker1'),
    worker2: createService('worker2'),
  };
}

export function getDataFolder(folder: string, host: ServiceHost): string {
  return join(folder, `${host}-data`);
}

/** Whether a process takes work; it may lack what it can do without, such as Redis. */
export async function isReady(host: ServiceHost): Promise<boolean> {
  const url = host.startsWith('app') ? `:${APP_PORT}/api/health/ready` : `:${METRICS_PORT}/health/ready`;
  const signal = AbortSignal.timeout(3_000);
  const response = await fetch(`http://${getAddress(host)}${url}`, { signal }).catch(() => null);
  await response?.arrayBuffer().catch(() => {});
  return response?.ok === true;
}

export async function waitUntilReady(...hosts: ServiceHost[]): Promise<void> {
  for (const end = Date.now() + READY_TIMEOUT_MS; Date.now() < end; await sleep(50)) {
    const states = await Promise.all(hosts.map(isReady));
    if (states.every(Boolean)) return;
  }
  throw new Error(`${hosts.join(', ')} was not ready in time.`);
}

/** The command runs what was built, and a test what it has transpiled. */
function getServiceArguments(name: string): string[] {
  return extname(import.meta.filename) === '.ts' ? [`dist/${name}.js`] : getNodeArguments(`src/${name}.ts`);
}

function createEnvironment(): Record<string, string> {
  const secret = () => randomBytes(32).toString('base64');
  return {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    JWT_SECRET: secret(),
    HASH_SECRET: secret(),
    AUDIT_SIGNING_KEY: secret(),
    PASSWORD_PEPPERS: `p1:${secret()}`,
    ENCRYPTION_KEYS: `k1:${secret()}`,
    BCRYPT_COST: '10',
    PORT: String(APP_PORT),
    METRICS_PORT: String(METRICS_PORT),
    METRICS_TOKEN: randomBytes(18).toString('hex'),
    DATABASE_URL: getDatabaseUrl('qr_app', ['primary', 'replica']),
    DATABASE_OWNER_URL: getDatabaseUrl('qr_owner', ['primary', 'replica']),
    DATABASE_READ_URL: getDatabaseUrl('qr_app', ['replica']),
    REDIS_URL: `redis://${getAddress('redis')}:${REDIS_PORT}/0`,
    S3_ENDPOINT: `http://${getAddress('s3')}:${S3_PORT}`,
    S3_REGION: 'eu-central-1',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    PUBLIC_BASE_URL: 'https://localhost',
    TRUST_PROXY: [getAddress('proxy'), getAddress('client')].join(),
    RATE_LIMIT_SCALE: '1000',
    SHUTDOWN_DELAY_SECONDS: '2',
    SMTP_URL: 'none',
    BILLING: 'off',
    WORKER: 'separate',
  };
}
