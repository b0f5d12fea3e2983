import { parseRecordIdFromMessageId } from '../../src/providers/mail/mail.port.ts';
import { startMailServer } from '../mail-server.ts';

export async function startCountingMailServer() {
  const deliveryCounts = new Map<string, number>();
  const server = await startMailServer(({ text }) => {
    const id = parseRecordIdFromMessageId(/^Message-ID: (.*)$/im.exec(text)?.[1]?.trim() ?? '') ?? '';
    deliveryCounts.set(id, (deliveryCounts.get(id) ?? 0) + 1);
  });
  return { ...server, taken: deliveryCounts };
}
