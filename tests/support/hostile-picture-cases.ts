import sharp from 'sharp';
import { type HostileCase as Case, cutAt, fixture, joined, jpeg, png, text, ZIP } from './hostile-case.ts';
import * as pdfs from './hostile-pdfs.ts';
import * as pictures from './hostile-pictures.ts';

const MIB = 1024 ** 2;

export const IMAGES: Case[] = [
  ['SVG called .jpg', 'immagine', 'FILE_SVG', text(pictures.SVG)],
  [
    'SVG behind a declaration and a comment',
    'immagine',
    'FILE_SVG',
    text(`<?xml version="1.0"?><!-- x -->\n${pictures.SVG}`),
  ],
  ['SVG behind a byte order mark', 'immagine', 'FILE_SVG', text(`\uFEFF  ${pictures.SVG}`)],
  ['SVG in UTF-16', 'immagine', 'FILE_SVG', () => Buffer.from(`\uFEFF${pictures.SVG}`, 'utf16le')],
  ['SVG as tickets', 'biglietti', 'FILE_SVG', text(pictures.SVG)],
  ['HTML', 'immagine', 'FILE_NOT_IMAGE', text(pictures.HTML)],
  [
    'XHTML',
    'immagine',
    'FILE_NOT_IMAGE',
    text('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
  ],
  [
    'XML that unfolds',
    'immagine',
    'FILE_NOT_IMAGE',
    text('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'),
  ],
  ['JavaScript', 'immagine', 'FILE_NOT_IMAGE', text('alert(1)//')],
  ['a shell script', 'immagine', 'FILE_NOT_IMAGE', text('#!/bin/sh\nrm -rf /\n')],
  ['one byte', 'immagine', 'FILE_NOT_IMAGE', text('\xff')],
  ['zeros', 'immagine', 'FILE_NOT_IMAGE', () => Buffer.alloc(4_096)],
  ['GIF', 'immagine', 'image/png', () => pictures.GIF],
  ['WebP', 'immagine', 'image/png', () => pictures.WEBP],
  ['AVIF of nothing but its head', 'immagine', 'FILE_BROKEN', () => pictures.isoPicture('avif')],
  ['HEIC called .jpg', 'immagine', 'FILE_BROKEN', () => pictures.isoPicture('heic')],
  ['HEIF', 'immagine', 'FILE_BROKEN', () => pictures.isoPicture('mif1')],
  ['HEIC as tickets', 'biglietti', 'FILE_BROKEN', () => pictures.isoPicture('heix')],
  ['a PDF', 'immagine', 'FILE_NOT_IMAGE', () => pdfs.pdf()],
  ['a ZIP', 'immagine', 'FILE_NOT_IMAGE', () => ZIP],
  ['a PNG of 100,000 by 100,000', 'immagine', 'FILE_IMAGE_TOO_BIG', () => pictures.vastPng(100_000, 100_000)],
  ['a PNG of two thousand million rows', 'immagine', 'FILE_BROKEN', () => pictures.vastPng(1, 2 ** 31 - 1)],
  [
    'an interlaced PNG of 16 bits that unfolds to 512 MB',
    'immagine',
    'FILE_IMAGE_TOO_BIG',
    () => pictures.vastInterlacedPng(8_000, 8_000),
  ],
  [
    'a JPEG of 65,000 by 65,000',
    'immagine',
    'FILE_IMAGE_TOO_BIG',
    async () => pictures.vastJpeg(await jpeg(), 65_000, 65_000),
  ],
  [
    'a JPEG whose head says more than is there',
    'immagine',
    'FILE_TRUNCATED',
    async () => pictures.vastJpeg(await jpeg(), 6_000, 6_000),
  ],
  [
    'a PNG whose text unfolds to 128 MB',
    'immagine',
    'image/png',
    async () => pictures.wordyPng(await transparent(), 128 * MIB),
  ],
  [
    'nothing but a JPEG’s first bytes',
    'immagine',
    'FILE_TRUNCATED',
    () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]),
  ],
  ['a JPEG with HTML behind its end', 'immagine', 'image/jpeg', () => joined(jpeg(), pictures.HTML)],
  ['a JPEG with a ZIP behind its end', 'immagine', 'image/jpeg', () => joined(jpeg(), ZIP)],
  ['a JPEG with a script in its comment', 'immagine', 'image/jpeg', commented],
  ['a PNG with HTML behind its end', 'biglietti', 'image/png', () => joined(png(), pictures.HTML)],
  ['a PNG with a PDF behind its end', 'biglietti', 'image/png', () => joined(png(), pdfs.pdf())],
  ['HTML with a JPEG behind it', 'immagine', 'FILE_NOT_IMAGE', () => joined(pictures.HTML, jpeg())],
];

export const TICKETS: Case[] = [
  ['HTML called .pdf', 'biglietti', 'FILE_NOT_TICKETS', text(pictures.HTML)],
  ['HTML with %PDF in it', 'biglietti', 'FILE_NOT_TICKETS', text(`${pictures.HTML}%PDF-1.7\n%%EOF`)],
  ['a Word file', 'biglietti', 'FILE_NOT_TICKETS', () => ZIP],
  ['a film', 'biglietti', 'FILE_NOT_TICKETS', () => fixture('good.mp4')],
  ['a PDF locked by a password', 'biglietti', 'FILE_PDF_LOCKED', () => pdfs.lockedPdf()],
  ['a PDF cut in the middle', 'biglietti', 'FILE_TRUNCATED', cutAt('../ticket.pdf', 0.5)],
  ['a PDF without its last bytes', 'biglietti', 'FILE_TRUNCATED', cutAt('../ticket.pdf', 0.99)],
  ['nothing but a PDF’s head and end', 'biglietti', 'FILE_BROKEN', text('%PDF-1.7\n%%EOF')],
  [
    'a PDF without pages',
    'biglietti',
    'FILE_BROKEN',
    () => pdfs.pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']),
  ],
  ['a PDF whose pages are their own parents', 'biglietti', 'FILE_BROKEN', () => pdfs.endlessPdf()],
  [
    'a PDF with a part nobody needs, as deep as a stack',
    'biglietti',
    'application/pdf',
    () => pdfs.deepPdf(1_000_000),
  ],
  [
    'a PDF with a part that unfolds to 256 MB and is never read',
    'biglietti',
    'application/pdf',
    () => pdfs.unfoldingPdf(256 * MIB),
  ],
  [
    'the same with its name in disguise',
    'biglietti',
    'application/pdf',
    () => pdfs.unfoldingPdf(256 * MIB, '/Obj#53tm'),
  ],
  ['a PDF with JavaScript', 'biglietti', 'application/pdf', () => pdfs.scriptedPdf()],
  ['a PDF with HTML behind its end', 'biglietti', 'application/pdf', () => joined(pdfs.pdf(), pictures.HTML)],
];

function transparent(): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer();
}

async function commented(): Promise<Buffer> {
  const bytes = await jpeg();
  const comment = Buffer.from(pictures.HTML);
  const head = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 255]);
  return Buffer.concat([bytes.subarray(0, 2), head, comment, bytes.subarray(2)]);
}
