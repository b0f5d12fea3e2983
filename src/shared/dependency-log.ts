import { traceCall } from './tracing.ts';

export interface DependencyResult {
  isUp: boolean;
  at: Date;
  lastSuccessAt: Date | null;
  lastFailure: { at: Date; code: string } | null;
}

/** The last results of each dependency, for readiness. */
export interface DependencyLog {
  /** Note a success, or a failure with a code that tells nothing private. */
  note(name: string, failureCode: string | null): void;
  find(name: string): DependencyResult | undefined;
}

/** @param onResult called for each noted result */
export function createDependencyLog(
  onResult: (name: string, isUp: boolean) => void = () => {},
): DependencyLog {
  const results = new Map<string, DependencyResult>();
  return {
    note(name, failureCode) {
      const { lastSuccessAt = null, lastFailure = null } = results.get(name) ?? {};
      const at = new Date();
      onResult(name, failureCode === null);
      results.set(
        name,
        failureCode === null
          ? { isUp: true, at, lastSuccessAt: at, lastFailure }
          : { isUp: false, at, lastSuccessAt, lastFailure: { at, code: failureCode } },
      );
    },
    find: (name) => results.get(name),
  };
}

/** `ANSWERED`: it was there, and rejected this call. `NOT_ASKED`: the call failed before. */
export type CallFailure = 'ANSWERED' | 'NOT_ASKED' | { code: string };

/** Trace each call of a provider, and note whether it was there; what it answers is for the caller. */
export function observeCalls<Provider extends object>(
  provider: Provider,
  options: {
    /** In traces. */
    name: string;
    note: (failureCode: string | null) => void;
    classifyFailure: (error: unknown) => CallFailure;
  },
): Provider {
  const { note, classifyFailure } = options;
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // To close a provider is no call of it.
      if (typeof member !== 'function' || name === 'close') return member;
      return (...args: unknown[]) => {
        const result = traceCall(`${options.name} ${String(name)}`, { kind: 'internal' }, (): unknown =>
          Reflect.apply(member, target, args),
        );
        if (result instanceof Promise) {
          result.then(
            () => note(null),
            (error) => {
              const failure = classifyFailure(error);
              if (failure !== 'NOT_ASKED') note(failure === 'ANSWERED' ? null : failure.code);
            },
          );
        }
        return result;
      };
    },
  });
}
