import { throwIfRefused } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { keepsakeCookieExpiry, requireKeepsake, requireOpenKeepsake } from '../visit/keepsake.ts';
import { openKeepsake, writeBack } from './keepsake.ts';

export const keepsakeRoutes = {
  read: os.keepsake.read.handler(async ({ context, errors }) => {
    const { keepsake } = throwIfRefused(await requireKeepsake(context), errors);
    return { open: keepsake.open };
  }),
  open: os.keepsake.open.handler(async ({ context, input: { token }, errors }) => {
    const { deps, address, user_agent, connection, cookies } = context;
    const { keepsake } = throwIfRefused(await requireKeepsake(context), errors);
    const evening = throwIfRefused(
      await openKeepsake(deps, keepsake, { token, address, user_agent, connection }),
      errors,
    );
    if (cookies.keepsake !== null)
      context.setPassCookie('keepsake', cookies.keepsake, keepsakeCookieExpiry(deps));
    return evening;
  }),
  reply: os.keepsake.reply.handler(async ({ context, input: { text }, errors }) => {
    const { keepsake } = throwIfRefused(await requireOpenKeepsake(context), errors);
    return writeBack(context.deps, keepsake, text);
  }),
};
