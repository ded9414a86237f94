import { bind, os } from '../http/calls.ts';
import { siteAddress } from '../http/https.ts';
import { adminCalls } from './admin-calls.ts';

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
