import { traverseContractProcedures } from '@orpc/server';
import { contract } from '../../contract/contract.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Handler } from './contract-calls.ts';
import type { HttpContext } from './scope.ts';

/**
 * An address under `/api` and what answers it. `{name}` stands for one segment.
 * With `ownBody` the body is not read, limited or checked before: the answer does so itself, as it comes.
 * Where there is `longBody` the body may be longer than elsewhere, for whom it doesn't refuse: it is asked before more is read.
 */
export type Endpoint = {
  path: string;
  methods: readonly string[];
  ownBody?: true;
  longBody?: (c: HttpContext) => Promise<ErrorCode | null>;
  answer: Handler;
};

/** The contract's addresses, all answered by `answer`. */
export function contractEndpoints(answer: Handler): Endpoint[] {
  const methods = new Map<string, string[]>();
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure }) => {
    const { path, method } = procedure['~orpc'].route;
    if (path === undefined || method === undefined)
      throw new Error('A call of the contract has no path or method.');
    methods.set(path, [...(methods.get(path) ?? []), method]);
  });
  return [...methods].map(([path, known]) => ({ path, methods: known, answer }));
}

/** What is at a path (without `/api`), or null. */
export type Find = (path: string) => Endpoint | null;

export function finder(endpoints: readonly Endpoint[]): Find {
  const patterns = endpoints.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.endpoint ?? null;
}

function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => segment.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+'));
  return new RegExp(`^${segments.join('/')}$`);
}
