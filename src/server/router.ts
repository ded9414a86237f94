import { accessRoutes } from './features/access/access.routes.ts';
import { configRoutes } from './features/config/config.routes.ts';
import { door, me } from './features/door/door.routes.ts';
import { questionsRoutes } from './features/questions/questions.routes.ts';
import { tokensRoutes } from './features/tokens/tokens.routes.ts';
import { visitRoutes } from './features/visit/visit.routes.ts';
import { os } from './http/orpc.ts';

/** Every call of the contract and what answers it. */
export const router = os.router({
  visit: { ...accessRoutes, ...visitRoutes },
  admin: { door, me, config: configRoutes, questions: questionsRoutes, tokens: tokensRoutes },
});
