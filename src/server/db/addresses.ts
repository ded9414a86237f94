const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/**
 * The servers of an address as libpq writes it, an address each: `postgres://user:password@a:5432,b:5433/database` names two. What isn't an
 * address of PostgreSQL's stays one.
 */
export function serversOf(address: string): [string, ...string[]] {
  const [, before = '', hosts = '', after = ''] = ADDRESS.exec(address) ?? [];
  const [first, ...others] = hosts.split(',').map((host) => `${before}${host}${after}`);
  return first === undefined || others.length === 0 ? [address] : [first, ...others];
}
