import type { ConversationServices } from '../conversations/conversation-services.ts';
import type { ScanServices } from '../scans/scan-services.ts';
import type { UrlPage } from './url-page.rules.ts';

/** What the finder's pages work with; put together in services.ts. */
export interface FinderServices extends ScanServices, ConversationServices {
  urlPage: UrlPage;
}

/** The path of the pages as browsers see it: a proxy may have put a prefix before it. */
export function finderPath({ publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>): string {
  return `${new URL(publicBaseUrl).pathname.replace(/\/+$/, '')}/s`;
}

/** The path of the page of one code, as browsers see it. */
export function codePath(services: Pick<FinderServices, 'publicBaseUrl'>, codeId: string): string {
  return `${finderPath(services)}/${codeId}`;
}

/** The link by which one side opens a conversation from anywhere. */
export function conversationLink(
  { publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
  token: string,
): string {
  return `${publicBaseUrl}/s/${codeId}/c/${token}`;
}
