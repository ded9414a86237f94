import { siteAddress } from '../http/https.ts';
import { os } from '../http/orpc.ts';
import { adminCalls } from './admin-calls.ts';

/** Returns the data of the sign-in page that needs no sign-in. */
export const registration = os.admin.registration.handler(async ({ context }) => {
  const { auth, env } = context.deps;
  const registration_open = await auth.registrationOpen();
  const first = registration_open && env.REGISTRATION === 'first';
  const needed = auth.setupCode(context.headers.get('host')) !== null;
  return {
    registration_open,
    first,
    setup_code_required: registration_open && needed,
    restorable: registration_open && (await auth.isNew()),
  };
});

export const me = adminCalls.me.handler(async ({ context }) => {
  const { email } = context.actor;
  const { env, unnamedProxy, sharing } = context.deps;
  return {
    email,
    public_url: siteAddress({ env, sharing }),
    unnamed_proxy: unnamedProxy.seen,
    max_video_bytes: env.MAX_VIDEO_MB * 1024 ** 2,
  };
});
