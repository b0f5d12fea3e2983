import { arch, cpus, platform, totalmem } from 'node:os';

export function describeMachine(): { machine: string } {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return {
    machine: `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gigabytes} GiB, ${platform()} ${arch()}, Node ${process.versions.node}, embedded PostgreSQL`,
  };
}
