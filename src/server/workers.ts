import type { Clock } from './clock.ts';
import type { Deps } from './deps.ts';
import { startBinSweeper } from './features/bin/bin.ts';
import { startHuesJob } from './features/hues/hues.maker.ts';
import { startLightJob } from './features/light/light.ts';
import { startRetention } from './features/logs/refused-tries.ts';
import { startMediaSweeper, startReserveJob } from './features/media/sweep.ts';
import { startNotifier } from './features/notifications/notifier.ts';
import { startPlanBJob } from './features/plan-b/plan-b.maker.ts';
import { startReadinessJob } from './features/ready/ready.keeper.ts';
import { startPicturePdfs } from './features/tickets/picture-pdfs.ts';
import { startTicketPages } from './features/tickets/ticket-pages.job.ts';
import { startProcessing, startUploadSweeper } from './features/uploads/arrivals.ts';
import { startSweeper } from './features/visit/sessions.sweeper.ts';
import type { Reserve } from './storage/open.ts';

/**
 * Starts the background jobs. Running calls may still need their results during a stop, but no notification: hence `stopNotifier` is
 * separate.
 */
export function startBackgroundJobs(
  deps: Deps,
  clock: Clock,
  reserve: Reserve,
): { stopNotifier(): Promise<void>; stop(): Promise<void> } {
  const notifier = startNotifier(deps);
  // Any change of a session may have queued a notification.
  const unsubscribe = deps.live.subscribe(() => notifier.wake());
  const stopNotifier = () => {
    unsubscribe();
    return notifier.stop();
  };
  const stops = [
    startSweeper(deps, clock),
    ...[
      startBinSweeper,
      startMediaSweeper,
      startUploadSweeper,
      startPicturePdfs,
      startProcessing,
      startHuesJob,
      startTicketPages,
      startLightJob,
      startPlanBJob,
      startRetention,
      startReadinessJob,
    ].map((startJob) => startJob(deps)),
    startReserveJob(deps, reserve),
  ];
  return {
    stopNotifier,
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
}
