import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import { activateFile, deleteFile, listMedia, setFocusPoint } from '../media/library.ts';
import { dismissUpload, finishUpload, listArrived } from './finish.service.ts';
import { joinTickets } from './join.service.ts';
import { takePoster } from './poster.service.ts';

/** Calls for the files of the slots, for completed uploads, and for files made from stored ones. */
export const mediaCalls = calls(adminCalls.media, {
  list: listMedia,
  use: activateFile,
  focus: setFocusPoint,
  remove: deleteFile,
  arrived: listArrived,
  finish: finishUpload,
  dismiss: dismissUpload,
  join: joinTickets,
  poster: takePoster,
});
