import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import type { IsTrustedProxy } from '../../http/address.ts';
import type { Endpoint } from '../../http/api.ts';
import { contentDisposition } from '../../http/disposition.ts';
import { errorResponse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler } from '../../http/scope.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { headOnly, isClientDisconnect, sendStream } from '../../http/send.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused } from '../../refused.ts';
import { csvName, logsCsv } from './csv.service.ts';

export function logsCsvEndpoint(deps: Deps, trusts: IsTrustedProxy, transfers: Transfers): Endpoint {
  const answer: Handler = async (c) => {
    const { context } = requestContext(deps, trusts, c);
    const actor = await requireAdmin(context);
    if (isRefused(actor)) return errorResponse(actor.refused);
    const separator = c.req.query('per') === 'excel' ? ';' : ',';
    const head = { status: 200, headers: headers(csvName(deps.now(), separator)) };
    if (c.req.method === 'HEAD') return headOnly(head);
    const csv = await logsCsv(deps, actor, separator);
    const release = transfers.hold(
      () => c.env.outgoing.destroy(),
      () => isStillAdmin(context),
    );
    return sendStream(c.env.outgoing, head, csv, (error) => {
      release();
      if (error === null || isClientDisconnect(error)) return;
      deps.log.error({ request_id: c.env.scope.request_id, err: error }, 'the CSV broke off');
    });
  };
  return {
    method: 'GET',
    path: '/admin/logs.csv',
    summary: 'Every event as CSV (RFC 4180, every cell quoted, UTF-8 with a BOM), newest first',
    operation: {
      parameters: [
        {
          name: 'per',
          in: 'query',
          schema: { type: 'string', enum: ['excel'] },
          description: 'Semicolons, at which a spreadsheet in Italian splits.',
        },
      ],
    },
    responseType: 'text/csv',
    refusals: ['SIGN_IN_REQUIRED'],
    answer,
  };
}

const headers = (name: string) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': contentDisposition('attachment', name),
  'Content-Security-Policy': FILE_POLICY.other,
  'Cache-Control': 'private, no-store',
  Vary: 'Cookie',
});
