import { bind, os } from '../../http/calls.ts';
import { isRefused } from '../../refused.ts';
import { enter } from './access.service.ts';

export const enterCall = bind(os.visit.enter, async (deps, input, request) => {
  const { address, user_agent, connection, cookies } = request;
  const { tunnel, PUBLIC_URL = null } = deps.env;
  const entered = await enter(deps, {
    ...input,
    address,
    user_agent,
    connection,
    visit_secret: cookies.visit,
    tunnel_address: tunnel === undefined ? null : PUBLIC_URL,
  });
  if (isRefused(entered)) return entered;
  const { secret, token_id, token_value, resumed, visit } = entered;
  request.setVisitCookie(secret);
  return { token_id, token_value, resumed, visit };
});
