import { me, registration } from './auth/actor.ts';
import { enterCall } from './features/access/access.service.ts';
import { siteAddressCalls } from './features/address/address.ts';
import { archiveCalls, restoreCalls } from './features/archive/archive.ts';
import { binCalls } from './features/bin/bin.ts';
import { captionsCalls } from './features/captions/captions.ts';
import { configCalls } from './features/config/settings.ts';
import { dashboardCall } from './features/dashboard/dashboard.ts';
import { adminDiagnosisCalls, diagnosisCalls } from './features/diagnosis/diagnosis.ts';
import { eraseCalls } from './features/erase/erase.ts';
import { keepsakeCalls } from './features/keepsake/keepsake.ts';
import { lightCalls } from './features/light/light.ts';
import { logsCalls } from './features/logs/logs.ts';
import { notificationsCalls } from './features/notifications/settings.ts';
import { planBCalls } from './features/plan-b/plan-b.ts';
import { answersCalls, questionsCalls } from './features/questions/questions.ts';
import { readinessCalls } from './features/ready/ready.ts';
import { rehearsalCalls } from './features/rehearsal/rehearsal.ts';
import { sessionsCalls } from './features/sessions/sessions.ts';
import { sharingCalls } from './features/sharing/sharing.ts';
import { tokensCalls } from './features/tokens/tokens.ts';
import { mediaCalls } from './features/uploads/arrivals.ts';
import { visitCalls } from './features/visit/visit.routes.ts';
import { os } from './http/calls.ts';

/** All calls of the contract, bound to their services. */
export const router = os.router({
  visit: { ...visitCalls, enter: enterCall },
  keepsake: keepsakeCalls,
  diagnosis: diagnosisCalls,
  admin: {
    registration,
    me,
    dashboard: dashboardCall,
    ready: readinessCalls,
    address: siteAddressCalls,
    sharing: sharingCalls,
    config: configCalls,
    questions: questionsCalls,
    answers: answersCalls,
    captions: captionsCalls,
    light: lightCalls,
    media: mediaCalls,
    tokens: tokensCalls,
    bin: binCalls,
    sessions: sessionsCalls,
    logs: logsCalls,
    notifications: notificationsCalls,
    rehearsal: rehearsalCalls,
    diagnosis: adminDiagnosisCalls,
    erase: eraseCalls,
    archive: archiveCalls,
    restore: restoreCalls,
    planB: planBCalls,
  },
});
