import fc from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import { isRefusalRequired } from './document-files.ts';
import { formatFailure } from './format-failure.ts';
import { createFormEncoder, type FormEncoder } from './forms.ts';
import { PAGE_OPERATIONS } from './pages.ts';
import { createPlanArbitrary } from './plan-arbitraries.ts';
import { RawConnection, type RawResponse } from './raw-http.ts';
import { type EncodedRequest, encodeRequest } from './request.ts';
import type { RequestPlan } from './request-plan.ts';
import { createResponseChecker, type ResponseChecker } from './response-checker.ts';
import { seedWorld } from './seed-world.ts';
import { createUploadPlanArbitrary, encodeUploadRequest, type UploadPlan } from './uploads.ts';
import type { FuzzWorld } from './world.ts';

export interface RequestTally {
  requests: number;
  uploads: number;
  aborted: number;
  statuses: Map<number, number>;
  succeeded: Set<string>;
}

export interface FuzzTarget {
  host: string;
  port: number;
  document: ApiDocument;
  world: FuzzWorld;
}

export interface FuzzJob {
  operation: Operation;
  isUpload: boolean;
  seed: number;
  runs: number;
  /** Path of a failure in fast-check: only that request is sent. */
  path?: string | undefined;
}

/** Requests after which users and records are reset. */
const REQUESTS_BETWEEN_RESETS = 200;
const ERASURE_OPERATION_ID = 'personalData.erase';
const EXPORT_OPERATION_ID = 'personalData.getExportArchive';
/** Maximum number of requests to shrink a failing one. */
const MAX_SHRINKS = 150;

/** Sends generated requests to a running service and checks the responses. */
export class FuzzRunner {
  tally: RequestTally = createTally();
  private readonly judge: ResponseChecker;
  private readonly plans = new Map<string, fc.Arbitrary<RequestPlan>>();
  private readonly uploads = new Map<string, fc.Arbitrary<UploadPlan>>();
  private readonly idle: RawConnection[] = [];
  private requestsSinceReset = 0;
  private replacement: Promise<void> = Promise.resolve();
  private readonly target: FuzzTarget;
  private readonly forms: FormEncoder;
  private readonly abortSignal: AbortSignal;

  private constructor(target: FuzzTarget, forms: FormEncoder, abortSignal: AbortSignal) {
    this.target = target;
    this.forms = forms;
    this.abortSignal = abortSignal;
    this.judge = createResponseChecker(target.document);
  }

  static async create(
    target: FuzzTarget,
    abortSignal: AbortSignal = new AbortController().signal,
  ): Promise<FuzzRunner> {
    return new FuzzRunner(target, await createFormEncoder(), abortSignal);
  }

  takeTally(): RequestTally {
    const { tally } = this;
    this.tally = createTally();
    return tally;
  }

  /** All operations: those that delete records come late, and those that delete an account last. */
  get operations(): Operation[] {
    const getDeletionRank = ({ id, method }: Operation) =>
      id === ERASURE_OPERATION_ID ? 2 : method === 'DELETE' ? 1 : 0;
    return [...this.target.document.operations, ...PAGE_OPERATIONS].sort(
      (one, other) => getDeletionRank(one) - getDeletionRank(other),
    );
  }

  get formOperations(): Operation[] {
    return this.target.document.operations.filter(({ bodies }) => 'multipart/form-data' in bodies);
  }

  /** Run a job; returns a description of the failure with the shrunk request, or null. */
  async run(job: FuzzJob): Promise<string | null> {
    const { operation, seed, runs, path } = job;
    const connection = this.idle.pop() ?? new RawConnection(this.target.host, this.target.port);
    let last: { request: EncodedRequest; faults: string[]; plan: RequestPlan | UploadPlan } | undefined;
    let shrinkCount = 0;
    const check = async (plan: RequestPlan | UploadPlan): Promise<void> => {
      if (this.abortSignal.aborted || (last && ++shrinkCount > MAX_SHRINKS)) return;
      const { request, faults } = await this.send(connection, plan);
      if (faults.length === 0) return;
      last = { request, faults, plan };
      throw new Error(faults.join('\n'));
    };
    const property = job.isUpload
      ? fc.asyncProperty(this.createUploads(operation), check)
      : fc.asyncProperty(this.createPlans(operation), check);
    const result = await fc.check<[RequestPlan] | [UploadPlan]>(
      property as fc.IAsyncProperty<[RequestPlan] | [UploadPlan]>,
      {
        seed,
        numRuns: runs,
        ...(path === undefined ? {} : { path }),
      },
    );
    this.idle.push(connection);
    if (!result.failed) return null;
    if (!last) return `FAILED ${operation.id}: ${result.errorInstance}`;
    const repeat = ['npm run fuzz --', `--operation ${operation.id}`, ...(job.isUpload ? ['--upload'] : [])];
    repeat.push(`--seed ${result.seed}`, `--path ${result.counterexamplePath}`);
    return formatFailure({
      ...last,
      operation: operation.id,
      repeat: repeat.join(' '),
      host: this.target.world.host,
    });
  }

  close(): void {
    for (const connection of this.idle) connection.close();
  }

  private createPlans(operation: Operation): fc.Arbitrary<RequestPlan> {
    const arbitrary = this.plans.get(operation.id) ?? createPlanArbitrary(this.target.document, operation);
    this.plans.set(operation.id, arbitrary);
    return arbitrary;
  }

  private createUploads(operation: Operation): fc.Arbitrary<UploadPlan> {
    const arbitrary =
      this.uploads.get(operation.id) ?? createUploadPlanArbitrary(this.target.document, operation);
    this.uploads.set(operation.id, arbitrary);
    return arbitrary;
  }

  private async send(connection: RawConnection, plan: RequestPlan | UploadPlan) {
    const { world } = this.target;
    if (++this.requestsSinceReset > REQUESTS_BETWEEN_RESETS) {
      this.requestsSinceReset = 0;
      await world.resetAll();
    }
    if ('file' in plan) {
      this.tally.uploads += 1;
      const { request, sentBytes } = encodeUploadRequest(plan, world, this.forms);
      if (plan.sentShare < 1) {
        this.tally.aborted += 1;
        await connection.abort(request.bytes.subarray(0, sentBytes));
        return { request, faults: [] };
      }
      const { faults, isTaken } = await this.exchange(connection, request, plan.plan);
      const isWrong = isTaken && isRefusalRequired(plan.plan.operation, plan);
      return { request, faults: isWrong ? [...faults, `${plan.file} was taken`] : faults };
    }
    this.tally.requests += 1;
    return this.exchange(connection, encodeRequest(plan, world, this.forms), plan);
  }

  private async exchange(connection: RawConnection, request: EncodedRequest, plan: RequestPlan) {
    const sender = this.target.world.users.find(plan.actor)?.id;
    const response = await connection.request(request.bytes, {
      isHead: request.method === 'HEAD',
      isMalformed: request.isMalformed,
    });
    const status = response?.status ?? 0;
    this.tally.statuses.set(status, (this.tally.statuses.get(status) ?? 0) + 1);
    if (response && status < 300) await this.learn(response, plan);
    if (status === 401 && plan.actor !== 'anonymous') await this.target.world.users.reset(plan.actor);
    // An export in progress ends when its account is erased.
    const isCutOff = response === null && plan.operation === EXPORT_OPERATION_ID && sender !== undefined;
    if (isCutOff && (await this.target.world.users.isErased(sender)))
      return { request, faults: [], isTaken: false };
    return { request, faults: this.judge(request, response), isTaken: status >= 200 && status < 300 };
  }

  private replaceUser(actor: RequestPlan['actor']): Promise<void> {
    const { world, document } = this.target;
    this.replacement = this.replacement.then(async () => {
      if (actor !== 'anonymous') await world.users.reset(actor);
      if (actor !== 'owner' && actor !== 'stranger') return;
      // Another request may erase the new user immediately; the next erasure seeds again.
      await seedWorld(world, document, this.target).catch(() => undefined);
    });
    return this.replacement;
  }

  private async learn({ headers, body }: RawResponse, plan: RequestPlan): Promise<void> {
    // A hostile request may have reached another operation.
    if (plan.kind !== 'hostile') this.tally.succeeded.add(plan.operation);
    if (headers['content-type']?.startsWith('application/json') && body.length < 100_000) {
      try {
        this.target.world.records.addFromResponse(JSON.parse(body.toString()));
      } catch {
        // The response checker reports invalid JSON.
      }
    }
    // The form of a code's page contains the visit token.
    const [, visit] = /name="visit" value="([^"]+)"/.exec(body.toString('latin1', 0, 40_000)) ?? [];
    if (visit) this.target.world.records.addFromResponse({ visitToken: visit });
    if (plan.operation === ERASURE_OPERATION_ID) await this.replaceUser(plan.actor);
    if (plan.operation === 'accounts.createProfile') await this.target.world.users.replaceNewUser();
  }
}

function createTally(): RequestTally {
  return { requests: 0, uploads: 0, aborted: 0, statuses: new Map(), succeeded: new Set() };
}

export function deriveSeed(seed: number, part: string, round: number): number {
  let hash = seed ^ (round * 0x9e3779b1);
  for (const one of part) hash = (Math.imul(hash, 31) + one.charCodeAt(0)) | 0;
  return hash | 0;
}
