import { throwIfRefused } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { enter } from './access.service.ts';

export const accessRoutes = {
  enter: os.visit.enter.handler(async ({ context, input, errors }) => {
    const { deps, address, user_agent, connection, cookies } = context;
    const { tunnel, PUBLIC_URL = null } = deps.env;
    const attempt = {
      ...input,
      address,
      user_agent,
      connection,
      visit_secret: cookies.visit,
      tunnel_address: tunnel === undefined ? null : PUBLIC_URL,
    };
    const { secret, token_id, token_value, resumed, visit } = throwIfRefused(
      await enter(deps, attempt),
      errors,
    );
    context.setVisitCookie(secret);
    return { token_id, token_value, resumed, visit };
  }),
};
