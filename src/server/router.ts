import { me, registration } from './auth/auth.routes.ts';
import { accessRoutes } from './features/access/access.routes.ts';
import { siteAddressRoutes } from './features/address/address.routes.ts';
import { archiveRoutes, restoreRoutes } from './features/archive/archive.routes.ts';
import { binRoutes } from './features/bin/bin.routes.ts';
import { captionsRoutes } from './features/captions/captions.routes.ts';
import { configRoutes } from './features/config/config.routes.ts';
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts';
import { adminDiagnosisRoutes, diagnosisRoutes } from './features/diagnosis/diagnosis.routes.ts';
import { eraseRoutes } from './features/erase/erase.routes.ts';
import { keepsakeRoutes } from './features/keepsake/keepsake.routes.ts';
import { lightRoutes } from './features/light/light.routes.ts';
import { logsRoutes } from './features/logs/logs.routes.ts';
import { libraryRoutes } from './features/media/library.routes.ts';
import { notificationsRoutes } from './features/notifications/notifications.routes.ts';
import { planBRoutes } from './features/plan-b/plan-b.routes.ts';
import { answersRoutes, questionsRoutes } from './features/questions/questions.routes.ts';
import { readinessRoutes } from './features/ready/ready.routes.ts';
import { rehearsalRoutes } from './features/rehearsal/rehearsal.routes.ts';
import { sessionsRoutes } from './features/sessions/sessions.routes.ts';
import { sharingRoutes } from './features/sharing/sharing.routes.ts';
import { tokensRoutes } from './features/tokens/tokens.routes.ts';
import { uploadsRoutes } from './features/uploads/finish.routes.ts';
import { visitRoutes } from './features/visit/visit.routes.ts';
import { os } from './http/orpc.ts';

/** Maps every call of the contract to its handler. */
export const router = os.router({
  visit: { ...accessRoutes, ...visitRoutes },
  keepsake: keepsakeRoutes,
  diagnosis: diagnosisRoutes,
  admin: {
    registration,
    me,
    dashboard: dashboardRoutes,
    ready: readinessRoutes,
    address: siteAddressRoutes,
    sharing: sharingRoutes,
    config: configRoutes,
    questions: questionsRoutes,
    answers: answersRoutes,
    captions: captionsRoutes,
    light: lightRoutes,
    media: { ...libraryRoutes, ...uploadsRoutes },
    tokens: tokensRoutes,
    bin: binRoutes,
    sessions: sessionsRoutes,
    logs: logsRoutes,
    notifications: notificationsRoutes,
    rehearsal: rehearsalRoutes,
    diagnosis: adminDiagnosisRoutes,
    erase: eraseRoutes,
    archive: archiveRoutes,
    restore: restoreRoutes,
    planB: planBRoutes,
  },
});
