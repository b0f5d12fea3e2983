export interface DependencyResult {
  isUp: boolean;
  at: Date;
}

/** The last result of each dependency, for readiness. */
export interface DependencyLog {
  note(name: string, isUp: boolean): void;
  find(name: string): DependencyResult | undefined;
}

export function createDependencyLog(): DependencyLog {
  const results = new Map<string, DependencyResult>();
  return {
    note: (name, isUp) => void results.set(name, { isUp, at: new Date() }),
    find: (name) => results.get(name),
  };
}

/** Note for each call of a provider whether it was there; what it answers is for the caller. */
export function observeCalls<Provider extends object>(
  provider: Provider,
  options: { note: (isUp: boolean) => void; isUnavailable: (error: unknown) => boolean },
): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args);
        if (result instanceof Promise) {
          result.then(
            () => options.note(true),
            (error) => options.note(!options.isUnavailable(error)),
          );
        }
        return result;
      };
    },
  });
}
