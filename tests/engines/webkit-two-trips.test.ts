import { twoTripsWithTheSong } from './evenings.ts';
import { webkit } from './support/webkit.ts';

twoTripsWithTheSong(webkit);
