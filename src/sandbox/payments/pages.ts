import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import type { Deliveries } from './delivery.ts';

/** What the pages show. */
export interface PageSettings {
  account: Account;
  deliveries: Deliveries;
}

export async function handlePage(
  _settings: PageSettings,
  _request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(404).end();
}
