/** Of libfaketime, which gives a process another date. */
const CLOCK_PATTERN = /^LD_PRELOAD$|FAKE/;

/** The environment of the server's programs: PATH, and the date of this process, which its database must share. */
export function getProgramEnvironment(environment = process.env): NodeJS.ProcessEnv {
  const clock = environment.FAKETIME === undefined ? [] : Object.entries(environment);
  return {
    ...Object.fromEntries(clock.filter(([name]) => CLOCK_PATTERN.test(name))),
    PATH: environment.PATH,
    TZ: 'UTC',
  };
}
