import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { loadConfig } from '../src/config.ts';
import { EnvironmentSchema } from '../src/config-variables.ts';
import { SECRET_FILE_VARIABLES, SECRET_SETTINGS } from '../src/secret-files.ts';
import { ConfigError } from '../src/shared/config-error.ts';
import { findMisspelledVariables } from '../src/unknown-variables.ts';
import { createScratchFolder } from './scratch-folder.ts';
import { t } from './tap.ts';

const SECRET = randomBytes(32).toString('base64');

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

async function writeSecret(t: Test, content: string | Buffer): Promise<string> {
  const path = join(await createScratchFolder(t), 'secret');
  await writeFile(path, content);
  return path;
}

t.test('every setting that holds a credential can be a file, but the encryption keys', async (t) => {
  const credentials = Object.keys(EnvironmentSchema.properties).filter((name) =>
    /SECRET|TOKEN|HEADERS|PASSWORD|PEPPERS|ENCRYPTION_KEYS$|SIGNING_KEY|PRIVATE_KEY|ACCESS_KEY|SERVICE_ACCOUNT|^(?:DATABASE.*|REDIS|SMTP)_URL/.test(
      name,
    ),
  );
  t.same(SECRET_SETTINGS.toSorted(), credentials.toSorted());
  t.same([...SECRET_FILE_VARIABLES.values(), 'ENCRYPTION_KEYS'].toSorted(), credentials.toSorted());
});

t.test('reads a secret from its file, without white space at its ends', async (t) => {
  for (const content of [SECRET, `${SECRET}\n`, `${SECRET}\r\n\n`, `\uFEFF${SECRET} \n`]) {
    const JWT_SECRET_FILE = await writeSecret(t, content);
    t.equal(loadConfig({ JWT_SECRET_FILE }).secrets.JWT_SECRET, SECRET);
    t.equal(loadConfig({ JWT_SECRET_FILE, JWT_SECRET: ' ' }).secrets.JWT_SECRET, SECRET);
  }
  const url = 'postgresql://qr:a-password@db.example.org/qr';
  t.equal(loadConfig({ DATABASE_URL_FILE: await writeSecret(t, `${url}\n`) }).databaseUrl, url);
  t.equal(loadConfig({ JWT_SECRET_FILE: '' }).secrets.JWT_SECRET, undefined, 'empty is not set');
});

t.test('follows links, as Kubernetes mounts secrets', async (t) => {
  const path = await writeSecret(t, SECRET);
  await symlink(path, `${path}-link`);
  t.equal(loadConfig({ JWT_SECRET_FILE: `${path}-link` }).secrets.JWT_SECRET, SECRET);
});

t.test('checks the value of a file like that of a variable', async (t) => {
  const JWT_SECRET_FILE = await writeSecret(t, 'short');
  t.match(problemsOf({ JWT_SECRET_FILE }), [/^JWT_SECRET: is invalid\. .*32 characters or more\.$/]);
  const file = await writeSecret(t, SECRET);
  t.same(problemsOf({ JWT_SECRET_FILE: file, HASH_SECRET: SECRET }), [
    'HASH_SECRET: must differ from JWT_SECRET.',
  ]);
});

t.test('refuses a file beside its variable', async (t) => {
  const JWT_SECRET_FILE = await writeSecret(t, SECRET);
  t.same(problemsOf({ JWT_SECRET_FILE, JWT_SECRET: SECRET }), [
    'JWT_SECRET_FILE: cannot be combined with JWT_SECRET.',
  ]);
});

t.test('names the file that cannot be used, and never its content', async (t) => {
  const folder = await createScratchFolder(t);
  const write = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [path, text] of [
    [join(folder, 'missing'), `${folder}/missing does not exist.`],
    [folder, `${folder} is not a file.`],
    [pipe, `${pipe} is not a file.`],
    [await write('empty', ''), `${folder}/empty is empty.`],
    [await write('blank', ' \n\n'), `${folder}/blank is empty.`],
    [await write('large', SECRET.repeat(2_000)), `${folder}/large is larger than 65536 bytes.`],
    [await write('binary', Buffer.from([0xff, 0xfe, 0x41])), `${folder}/binary is not text in UTF-8.`],
    [join(await write('file', SECRET), 'below'), `${folder}/file/below cannot be read (ENOTDIR).`],
  ] as const)
    t.same(problemsOf({ JWT_SECRET_FILE: path }), [`JWT_SECRET_FILE: ${text}`]);
});

t.test('accepts a file of the largest size', async (t) => {
  const JWT_SECRET_FILE = await writeSecret(t, `${SECRET}${' '.repeat(65_536 - SECRET.length)}`);
  t.equal(loadConfig({ JWT_SECRET_FILE }).secrets.JWT_SECRET, SECRET);
});

t.test('does not repeat a secret that was set in place of its path', async (t) => {
  for (const value of [
    SECRET.replace(/^\//, 'a'),
    'postgresql://qr:a-password@db.example.org/qr',
    '{"a":1}',
  ]) {
    const [problem, ...more] = problemsOf({ JWT_SECRET_FILE: value });
    t.match(problem, /^JWT_SECRET_FILE: must be a path that begins with \/ or \.\/; the value itself is/);
    t.notOk(problem?.includes(value));
    t.same(more, []);
  }
});

t.test('reports nothing else of a secret whose file cannot be used', async (t) => {
  const missing = { STRIPE_SECRET_KEY_FILE: '/missing', STRIPE_WEBHOOK_SECRETS_FILE: '/missing' };
  t.same(problemsOf({ ...missing, BILLING: 'stripe', STRIPE_API_BASE: 'https://api.example.org' }), [
    'STRIPE_SECRET_KEY_FILE: /missing does not exist.',
    'STRIPE_WEBHOOK_SECRETS_FILE: /missing does not exist.',
  ]);
  t.same(problemsOf({ OIDC_CLIENT_ID: 'qr', OIDC_CLIENT_SECRET_FILE: '/missing', PORT: 'a' }).length, 2);
});

t.test('knows the variables of files when a name is misspelled', async (t) => {
  const find = (name: string) => findMisspelledVariables({ [name]: 'a' }).map(({ setting }) => setting);
  for (const name of SECRET_FILE_VARIABLES.keys()) t.same(find(name), [], name);
  t.same(find('JWT_SECRET_FIEL'), ['JWT_SECRET_FILE']);
  t.same(find('DATABASE_URI_FILE'), ['DATABASE_URL_FILE']);
  t.same(find('METRICS_TOKENFILE'), ['METRICS_TOKEN_FILE']);
  t.same(find('MAIL_FROM_FILE'), ['MAIL_FROM'], 'a setting that is no secret has no file');
});
