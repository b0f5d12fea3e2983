import type { FastifyReply, FastifyRequest } from 'fastify';
import { createDisconnectSignal } from '../../../platform/http/client-disconnect.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { checkBulkChange, MAX_BULK_ITEMS, patchQrCodes } from '../../codes/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { type LeftOutReason, type SelectionResult, toLeftOutReason } from './selection-result.ts';

interface CodesChange {
  ids: readonly string[];
  /** As PATCH takes it. */
  change: object;
  /** Of a part of them, right before they are changed. */
  filterIds?: (ids: readonly string[]) => Promise<readonly string[]>;
}

/** Change codes of an account, as many at a time as the API takes. @throws RATE_LIMITED, BUSY */
export async function changeCodes(
  services: OwnerPageServices,
  request: FastifyRequest<{ Params: { accountId: string } }>,
  reply: FastifyReply,
  { ids, change, filterIds = async (part) => part }: CodesChange,
): Promise<SelectionResult> {
  const result = { count: 0, leftOut: [] as LeftOutReason[] };
  const disconnect = createDisconnectSignal(reply);
  for (let start = 0; start < ids.length; start += MAX_BULK_ITEMS) {
    const part = await filterIds(ids.slice(start, start + MAX_BULK_ITEMS));
    if (part.length === 0) continue;
    const { data, counts } = await patchQrCodes(
      services,
      getRequestContext(request),
      request.params.accountId,
      {
        items: part.map((id) => ({ id, ...change })),
        check: checkBulkChange,
        isMergePatch: false,
        disconnect,
      },
    );
    result.count += counts.updated;
    for (const { outcome, error } of data) {
      if (outcome === 'UNCHANGED') result.leftOut.push('unchanged');
      if (!error) continue;
      const reason = toLeftOutReason(error);
      result.leftOut.push(reason === 'plan' && 'pageDesign' in change ? 'included' : reason);
    }
  }
  return result;
}
