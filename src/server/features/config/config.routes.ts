import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import { readConfig, saveConfig } from './config.service.ts';

export const configCalls = calls(adminCalls.config, { read: readConfig, save: saveConfig });
