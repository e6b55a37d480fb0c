import { expect, it } from 'vitest'
import { openSeason, parametersOf, USUAL, type Ladder } from '../src/console/ladders/ladder'
import { addressOf, changeText, methodWords, placeOf, pointsText } from '../src/ladders/words'

it('reads an address and writes the same one', () => {
  for (const place of [
    { ladder: '', person: '', season: '' },
    { ladder: 'qingdao', person: '', season: '' },
    { ladder: 'a-_b', person: 'f00d', season: '2' },
  ]) {
    const written = new URL(addressOf(place.ladder, place.person, place.season === '' ? null : Number(place.season)), 'http://hall')
    expect(placeOf(written)).toEqual(place)
  }
})

it('writes hundredths as people read them', () => {
  expect([700, 151155, 50, 0].map(pointsText)).toEqual(['7', '1511.55', '0.5', '0'])
  expect([700, -1155, 0].map(changeText)).toEqual(['+7', '−11.55', '0'])
})

const season = { number: 1, name: '2026', opened_at: 0, closed_at: null, ...USUAL }
const ladder: Ladder = { ladder_id: 'x', name: '甲', name_en: '', archived: false, restricted: false, members: 0, seasons: [season], version: 1 }

it('knows which season counts', () => {
  expect(openSeason(ladder)).toEqual(season)
  expect(openSeason({ ...ladder, seasons: [{ ...season, closed_at: 5 }] })).toBeNull()
  expect(openSeason({ ...ladder, seasons: [] })).toBeNull()
  expect(parametersOf(season)).toEqual(USUAL)
})

it('says how a season counts', () => {
  expect(methodWords({ ...season, most: 77 })).toContain('77')
  expect(methodWords({ ...season, method: 'elo', factor: 31 })).toContain('31')
})
