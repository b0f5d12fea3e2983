import fc from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import { mustBeRefused } from './document-files.ts';
import { createForms, type Forms } from './forms.ts';
import { createJudge, type Judge } from './judge.ts';
import { PAGES } from './pages.ts';
import type { Plan } from './plan.ts';
import { plansOf } from './plans-of.ts';
import { type RawAnswer, RawConnection } from './raw-http.ts';
import { type Request, requestOf } from './request.ts';
import { seedWorld } from './seed-world.ts';
import { inWords } from './shown.ts';
import { type UploadPlan, uploadPlansOf, uploadRequestOf } from './uploads.ts';
import type { World } from './world.ts';

/** What a run counts. */
export interface Tally {
  requests: number;
  uploads: number;
  /** Requests that were broken off on purpose. */
  aborted: number;
  statuses: Map<number, number>;
  /** Operations that have succeeded. */
  succeeded: Set<string>;
}

export interface Target {
  host: string;
  port: number;
  document: ApiDocument;
  world: World;
}

/** A group of generated requests to one operation. */
export interface Job {
  operation: Operation;
  isUpload: boolean;
  seed: number;
  runs: number;
  /** Where fast-check found a failure: only that request is sent. */
  path?: string | undefined;
}

/** People and records are put right after so many requests. */
const PUT_RIGHT_AFTER = 200;
const ERASURE = 'personalData.erase';
const EXPORT = 'personalData.export';
/** Requests spent on making a failing one smaller. */
const MAX_SHRINKS = 150;

/** Sends generated requests to a running service and judges the answers. */
export class Runner {
  tally: Tally = newTally();
  private readonly judge: Judge;
  private readonly plans = new Map<string, fc.Arbitrary<Plan>>();
  private readonly uploads = new Map<string, fc.Arbitrary<UploadPlan>>();
  private readonly idle: RawConnection[] = [];
  private sincePutRight = 0;
  private replacing: Promise<void> = Promise.resolve();
  private readonly target: Target;
  private readonly forms: Forms;
  private readonly stopped: AbortSignal;

  private constructor(target: Target, forms: Forms, stopped: AbortSignal) {
    this.target = target;
    this.forms = forms;
    this.stopped = stopped;
    this.judge = createJudge(target.document);
  }

  static async create(target: Target, stopped: AbortSignal = new AbortController().signal): Promise<Runner> {
    return new Runner(target, await createForms(), stopped);
  }

  /** The counts so far; they begin again. */
  takeTally(): Tally {
    const { tally } = this;
    this.tally = newTally();
    return tally;
  }

  /** Everything that requests are made for; what takes records away comes after the rest, what takes all away from a person last. */
  get operations(): Operation[] {
    const taking = ({ id, method }: Operation) => (id === ERASURE ? 2 : method === 'DELETE' ? 1 : 0);
    return [...this.target.document.operations, ...PAGES].sort((one, other) => taking(one) - taking(other));
  }

  /** Operations that take forms. */
  get formOperations(): Operation[] {
    return this.target.document.operations.filter(({ bodies }) => 'multipart/form-data' in bodies);
  }

  /** Sends a group of requests; answers what was wrong, in words, with the request made as small as it still fails. */
  async run(job: Job): Promise<string | null> {
    const { operation, seed, runs, path } = job;
    const connection = this.idle.pop() ?? new RawConnection(this.target.host, this.target.port);
    let last: { request: Request; faults: string[]; plan: Plan | UploadPlan } | undefined;
    let afterFailure = 0;
    const check = async (plan: Plan | UploadPlan): Promise<void> => {
      if (this.stopped.aborted || (last && ++afterFailure > MAX_SHRINKS)) return;
      const { request, faults } = await this.send(connection, plan);
      if (faults.length === 0) return;
      last = { request, faults, plan };
      throw new Error(faults.join('\n'));
    };
    const property = job.isUpload
      ? fc.asyncProperty(this.uploadsTo(operation), check)
      : fc.asyncProperty(this.plansTo(operation), check);
    const found = await fc.check<[Plan] | [UploadPlan]>(
      property as fc.IAsyncProperty<[Plan] | [UploadPlan]>,
      {
        seed,
        numRuns: runs,
        ...(path === undefined ? {} : { path }),
      },
    );
    this.idle.push(connection);
    if (!found.failed) return null;
    if (!last) return `FAILED ${operation.id}: ${found.errorInstance}`;
    const repeat = ['npm run fuzz --', `--operation ${operation.id}`, ...(job.isUpload ? ['--upload'] : [])];
    repeat.push(`--seed ${found.seed}`, `--path ${found.counterexamplePath}`);
    return inWords({
      ...last,
      operation: operation.id,
      repeat: repeat.join(' '),
      host: this.target.world.host,
    });
  }

  close(): void {
    for (const connection of this.idle) connection.close();
  }

  private plansTo(operation: Operation): fc.Arbitrary<Plan> {
    const made = this.plans.get(operation.id) ?? plansOf(this.target.document, operation);
    this.plans.set(operation.id, made);
    return made;
  }

  private uploadsTo(operation: Operation): fc.Arbitrary<UploadPlan> {
    const made = this.uploads.get(operation.id) ?? uploadPlansOf(this.target.document, operation);
    this.uploads.set(operation.id, made);
    return made;
  }

  private async send(connection: RawConnection, plan: Plan | UploadPlan) {
    const { world } = this.target;
    if (++this.sincePutRight > PUT_RIGHT_AFTER) {
      this.sincePutRight = 0;
      await world.putAllRight();
    }
    if ('file' in plan) {
      this.tally.uploads += 1;
      const { request, sent } = uploadRequestOf(plan, world, this.forms);
      if (plan.sent < 1) {
        this.tally.aborted += 1;
        await connection.abort(request.bytes.subarray(0, sent));
        return { request, faults: [] };
      }
      const { faults, isTaken } = await this.exchange(connection, request, plan.plan);
      const isWrong = isTaken && mustBeRefused(plan.plan.operation, plan);
      return { request, faults: isWrong ? [...faults, `${plan.file} was taken`] : faults };
    }
    this.tally.requests += 1;
    return this.exchange(connection, requestOf(plan, world, this.forms), plan);
  }

  private async exchange(connection: RawConnection, request: Request, plan: Plan) {
    const sender = this.target.world.people.find(plan.as)?.id;
    const answer = await connection.request(request.bytes, {
      isHead: request.method === 'HEAD',
      isOdd: request.isOdd,
    });
    const status = answer?.status ?? 0;
    this.tally.statuses.set(status, (this.tally.statuses.get(status) ?? 0) + 1);
    if (answer && status < 300) await this.learn(answer, plan);
    if (status === 401 && plan.as !== 'anonymous') await this.target.world.people.putRight(plan.as);
    // An archive that is on its way ends with the account it is of.
    const isCutOff = answer === null && plan.operation === EXPORT && sender !== undefined;
    if (isCutOff && (await this.target.world.people.isErased(sender)))
      return { request, faults: [], isTaken: false };
    return { request, faults: this.judge(request, answer), isTaken: status >= 200 && status < 300 };
  }

  /** Somebody else takes the place of a person who erased themselves, with records of their own. */
  private replace(erased: Plan['as']): Promise<void> {
    const { world, document } = this.target;
    this.replacing = this.replacing.then(async () => {
      if (erased !== 'anonymous') await world.people.putRight(erased);
      if (erased !== 'owner' && erased !== 'stranger') return;
      // Another request may erase the new one at once; the next erasure seeds again.
      await seedWorld(world, document, this.target).catch(() => undefined);
    });
    return this.replacing;
  }

  private async learn({ headers, body }: RawAnswer, plan: Plan): Promise<void> {
    // A hostile request may have gone somewhere else.
    if (plan.kind !== 'hostile') this.tally.succeeded.add(plan.operation);
    if (headers['content-type']?.startsWith('application/json') && body.length < 100_000) {
      try {
        this.target.world.records.learn(JSON.parse(body.toString()));
      } catch {
        // The judge says so.
      }
    }
    // The page of a code has in its form what opens the visit.
    const [, visit] = /name="visit" value="([^"]+)"/.exec(body.toString('latin1', 0, 40_000)) ?? [];
    if (visit) this.target.world.records.learn({ visitToken: visit });
    if (plan.operation === ERASURE) await this.replace(plan.as);
    if (plan.operation === 'accounts.createProfile') await this.target.world.people.replaceNewcomer();
  }
}

function newTally(): Tally {
  return { requests: 0, uploads: 0, aborted: 0, statuses: new Map(), succeeded: new Set() };
}

/** A seed for a part of a run, from the run's seed. */
export function seedOf(seed: number, part: string, round: number): number {
  let hash = seed ^ (round * 0x9e3779b1);
  for (const one of part) hash = (Math.imul(hash, 31) + one.charCodeAt(0)) | 0;
  return hash | 0;
}
