import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { type ChannelName, SMTP_DEFAULTS } from '../../../domain/channels.ts';
import { decryptOrNull, encrypt } from '../../auth/secrets.ts';
import type { Db } from '../../db/tables.ts';
import { type ConfigChange, type ConfigRow, findConfig } from './config.repo.ts';

type Fields = InferContractRouterInputs<typeof contract>['admin']['config']['save']['fields'];
type ConfigOutput = InferContractRouterOutputs<typeof contract>['admin']['config']['read'];
type ChannelSettings = Pick<
  ConfigOutput,
  | 'telegram_chat_id'
  | 'telegram_bot_token_masked'
  | 'smtp_host'
  | 'smtp_port'
  | 'smtp_security'
  | 'smtp_user'
  | 'smtp_password_kept'
  | 'email_from'
  | 'email_to'
>;

const NOTHING: ChannelSettings = {
  telegram_chat_id: null,
  telegram_bot_token_masked: null,
  ...SMTP_DEFAULTS,
  smtp_host: null,
  smtp_user: null,
  smtp_password_kept: false,
  email_from: null,
  email_to: null,
};

/** Returns the settings of both channels: the last four characters of the bot token, and only whether a password is stored. */
export function channelSettingsOf(secret: Buffer, row: ConfigRow | undefined): ChannelSettings {
  if (row === undefined) return NOTHING;
  const { telegram_chat_id, smtp_host, smtp_port, smtp_security, smtp_user, email_from, email_to } = row;
  const token = readable(secret, row.telegram_bot_token);
  return {
    telegram_chat_id,
    telegram_bot_token_masked: token === null ? null : `••••${token.slice(-4)}`,
    smtp_host,
    smtp_port,
    smtp_security,
    smtp_user,
    smtp_password_kept: readable(secret, row.smtp_password) !== null,
    email_from,
    email_to,
  };
}

/** Returns null if the secret can't be decrypted: it must be entered again, and everything else still works. */
function readable(secret: Buffer, sealed: string | null): string | null {
  return sealed === null ? null : decryptOrNull(secret, sealed);
}

/** Returns the bot token and the password encrypted, if the fields have them. */
export function encryptSecrets(
  secret: Buffer,
  { telegram_bot_token, smtp_password }: Pick<Fields, 'telegram_bot_token' | 'smtp_password'>,
): ConfigChange {
  const sealed = (text: string | null) => (text === null ? null : encrypt(secret, text));
  return {
    ...(telegram_bot_token !== undefined && { telegram_bot_token: sealed(telegram_bot_token) }),
    ...(smtp_password !== undefined && { smtp_password: sealed(smtp_password) }),
  };
}

/**
 * Clears the password if the server changes without a new one. Otherwise someone at the page could have it sent to a
 * server of their choice.
 */
export async function clearStalePassword(
  tx: Db,
  { smtp_host, smtp_password }: Fields,
): Promise<Pick<ConfigChange, 'smtp_password'>> {
  if (smtp_host === undefined || smtp_password !== undefined) return {};
  const stored = await findConfig(tx);
  return stored === undefined || stored.smtp_host === smtp_host ? {} : { smtp_password: null };
}

const SETTINGS_OF: Readonly<Record<ChannelName, readonly (keyof Fields)[]>> = {
  telegram: ['telegram_bot_token', 'telegram_chat_id'],
  email: ['smtp_host', 'smtp_port', 'smtp_security', 'smtp_user', 'smtp_password', 'email_from', 'email_to'],
};

/** Returns true if saving these fields changes the channel's target. */
export const affectsChannel = (channel: ChannelName, fields: Fields): boolean =>
  SETTINGS_OF[channel].some((field) => fields[field] !== undefined);
