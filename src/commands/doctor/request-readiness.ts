import { sendHttpRequest } from '../../shared/http-client.ts';
import { parseObject } from '../../shared/parse-object.ts';

const REQUEST_LIMITS = { timeoutMs: 4_500, maxResponseBytes: 256 * 1024 };

/** Names of dependencies; anything else is not printed. */
const NAME_PATTERN = /^[a-z ]{1,40}$/;

export interface ReadinessAnswer {
  status: number;
  date: string | null;
  askedAt: number;
  answeredAt: number;
  /** Null where something else answers. */
  service: { unavailable: string[]; warnings: unknown[] } | null;
}

/** Ask the readiness of the service at its public address. @throws HttpRequestError */
export async function requestReadiness(publicBaseUrl: string): Promise<ReadinessAnswer> {
  const askedAt = Date.now();
  const { status, headers, body } = await sendHttpRequest(
    `${publicBaseUrl}/api/health/ready`,
    REQUEST_LIMITS,
  );
  const answer = parseObject(body.toString());
  return {
    status,
    date: headers.get('date'),
    askedAt,
    answeredAt: Date.now(),
    service: isReadiness(answer) ? toServiceState(answer) : null,
  };
}

/** 200 and 503 list the dependencies; a service that stops has only its code. */
function isReadiness(answer: Record<string, unknown>): boolean {
  return Array.isArray(answer.dependencies) || (answer.status === 503 && typeof answer.code === 'string');
}

function toServiceState({ dependencies, warnings }: Record<string, unknown>) {
  const names = Array.isArray(dependencies) ? dependencies.flatMap(findUnavailableName) : [];
  return { unavailable: names, warnings: Array.isArray(warnings) ? warnings : [] };
}

function findUnavailableName(dependency: unknown): string[] {
  const { name, status } = { ...(dependency as object) } as { name?: unknown; status?: unknown };
  return status === 'down' && typeof name === 'string' && NAME_PATTERN.test(name) ? [name] : [];
}
