import { siteAddress } from '../http/address.ts';
import { bind, os, toCallError } from '../http/calls.ts';
import { isRefused } from '../refused.ts';
import { requireAdmin } from './actor.ts';

/** The administrator's calls. Unauthenticated requests are refused before their input is parsed; services get an `AdminCtx`. */
export const adminCalls = os.admin.use(async ({ context, next }) => {
  const granted = await requireAdmin(context);
  if (isRefused(granted)) throw toCallError(granted);
  return next({ context: { deps: { ...context.deps, ...granted } } });
});

/** Returns the data of the sign-in page that needs no sign-in. */
export const registration = bind(os.admin.registration, async ({ auth, env }, _input, { headers }) => {
  const registration_open = await auth.registrationOpen();
  const first = registration_open && env.REGISTRATION === 'first';
  const needed = auth.setupCode(headers.get('host')) !== null;
  return {
    registration_open,
    first,
    setup_code_required: registration_open && needed,
    restorable: registration_open && (await auth.isNew()),
  };
});

export const me = bind(adminCalls.me, ({ actor, env, unnamedProxy, sharing }) => {
  return {
    email: actor.email,
    public_url: siteAddress({ env, sharing }),
    unnamed_proxy: unnamedProxy.seen,
    max_video_bytes: env.MAX_VIDEO_MB * 1024 ** 2,
  };
});
