import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Endpoint } from '../../http/api.ts';
import { contentDisposition } from '../../http/disposition.ts';
import { guarded } from '../../http/request-context.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { headOnly, isClientDisconnect, sendStream } from '../../http/send.ts';
import type { Transfers } from '../../live/transfers.ts';
import { csvName, logsCsv } from './csv.service.ts';

export function logsCsvEndpoint(transfers: Transfers): Endpoint {
  const answer = guarded(requireAdmin, async (c, ctx, request) => {
    const separator = c.req.query('per') === 'excel' ? ';' : ',';
    const head = { status: 200, headers: headers(csvName(ctx.now(), separator)) };
    if (c.req.method === 'HEAD') return headOnly(head);
    const csv = await logsCsv(ctx, separator);
    const release = transfers.hold(
      () => c.env.outgoing.destroy(),
      () => isStillAdmin(request),
    );
    return sendStream(c.env.outgoing, head, csv, (error) => {
      release();
      if (error === null || isClientDisconnect(error)) return;
      ctx.log.error({ request_id: request.request_id, err: error }, 'the CSV broke off');
    });
  });
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
