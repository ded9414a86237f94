import { traverseContractProcedures } from '@orpc/server';
import type { z } from 'zod';
import { contract } from '../../src/contract/contract.ts';
import { AUTH_ROUTES } from '../../src/server/auth/better-auth.ts';

/** A call under `/api`: its address and input schema. */
export type ContractCall = { name: string; method: string; path: string; input: z.ZodType | null };

/** Returns every call of the contract and those of sign-in. */
export function contractCalls(): ContractCall[] {
  const calls: ContractCall[] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
    const { method = '', path: address = '' } = procedure['~orpc'].route;
    const input = (procedure['~orpc'].inputSchema ?? null) as z.ZodType | null;
    calls.push({ name: path.join('.'), method, path: address, input });
  });
  for (const [path, route] of Object.entries(AUTH_ROUTES))
    calls.push({
      name: `auth${path.replaceAll('/', '.')}`,
      method: route.method,
      path: `/auth${path}`,
      input: ('input' in route && route.input) || null,
    });
  return calls;
}
