import pg from 'pg';
import { cloneDatabase } from '../clone-database.ts';
import { t } from '../tap.ts';
import {
  findUnboundCalls,
  findUnboundStatements,
  isOwnedModel,
  listMentionedTables,
} from './account-conditions.ts';
import { collectPrismaCalls } from './prisma-calls.ts';
import { collectRawStatements } from './raw-statements.ts';
import { type AccountCondition, listAccountConditions, removeConditions } from './removed-conditions.ts';
import { createSourceProgram } from './source-program.ts';
import { FUNCTIONS_OVER_ACCOUNTS } from './statements-over-accounts.ts';

/** Another seed draws other places. */
const seed = Number(process.env.SEED ?? 36);
const PLACES = 50;

t.test(`the check of statements notices each of ${PLACES} forgotten accounts`, async (t) => {
  const program = createSourceProgram('tsconfig.json');
  const checked = {
    SQL: new Set(
      collectRawStatements(program)
        .filter(({ text }) => listMentionedTables(text ?? '').length > 0)
        .map(({ name }) => name),
    ),
    PRISMA: new Set(
      collectPrismaCalls(program)
        .filter(({ model }) => isOwnedModel(model))
        .map(({ name }) => name),
    ),
  };
  // Parts of statements are elsewhere: a statement is found by the function that runs it.
  const places = listAccountConditions(program).filter(({ name, kind }) => checked[kind].has(name));
  const removed = draw(places, PLACES);
  t.equal(removed.length, PLACES);

  const { owner, drop } = await cloneDatabase(t);
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await drop();
  });
  const mutated = createSourceProgram('tsconfig.json', removeConditions(program, removed));
  const names = new Set(removed.map(({ name }) => name));
  const statements = collectRawStatements(mutated).filter(({ name }) => names.has(name));
  const calls = collectPrismaCalls(mutated).filter(({ name }) => names.has(name));
  const found = {
    SQL: new Set((await findUnboundStatements(client, statements)).map(({ name }) => name)),
    PRISMA: new Set(findUnboundCalls(calls).map(({ name }) => name)),
  };
  const count = (kind: AccountCondition['kind']) => removed.filter((one) => one.kind === kind).length;
  t.comment(`seed ${seed}: ${count('SQL')} by plans, ${count('PRISMA')} by calls of Prisma`);
  t.same(
    removed.filter(({ name, kind }) => !found[kind].has(name)).map(({ path, name }) => `${path} ${name}`),
    [],
  );
});

/** Draw places, one in each function that names the account. */
function draw(places: readonly AccountCondition[], count: number): AccountCondition[] {
  const random = createRandom(seed);
  const shuffled = places
    .filter(({ name }) => !FUNCTIONS_OVER_ACCOUNTS.has(name))
    .map((place) => ({ place, at: random() }))
    .toSorted((one, other) => one.at - other.at);
  const byName = new Map(shuffled.map(({ place }) => [place.name, place]));
  return [...byName.values()].slice(0, count);
}

/** Park and Miller's generator. */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
