import { parseMessageIdRecord } from '../../src/providers/mail/mail.port.ts';
import { startMailServer } from '../mail-server.ts';

export async function startCountingMailServer() {
  const taken = new Map<string, number>();
  const server = await startMailServer(({ text }) => {
    const id = parseMessageIdRecord(/^Message-ID: (.*)$/im.exec(text)?.[1]?.trim() ?? '') ?? '';
    taken.set(id, (taken.get(id) ?? 0) + 1);
  });
  return { ...server, taken };
}
