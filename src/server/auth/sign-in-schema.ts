import type { BetterAuthOptions } from 'better-auth';

/** The part of better-auth's settings that decides which tables and columns there are. */
export const signInSchema = {
  emailAndPassword: { enabled: true },
  user: {
    // There is no way to send a letter, so that the old address can't be asked; the password is (sign-in.ts).
    changeEmail: { enabled: true, updateEmailWithoutVerification: true },
    additionalFields: {
      // The one chair of the administrator: see `takeSeat`.
      seat: { type: 'number', required: false, unique: true, input: false, returned: false },
    },
  },
  // Ours count wrong passwords, and only those (tries/): these count every call of a network, its right password too.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
} satisfies BetterAuthOptions;
