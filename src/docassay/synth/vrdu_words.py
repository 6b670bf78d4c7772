"""Words that invented registration forms and ad-buy forms are made of; every body is made up."""

from __future__ import annotations

# fmt: off

REGISTRANTS = (
    "Alderbrook Strategies LLC", "Calloway & Finch LLP", "Tidewater Public Affairs Inc.",
    "Northlight Counsel PLLC", "Marrow Street Group", "Pinecrest Relations Inc.",
    "Quill & Harbor LLC", "Redgate Advisory Partners", "Sablewood Communications",
    "The Larkspur Bureau", "Umber Hill Associates LLC", "Vantage Ferry Law Group",
)
PRINCIPALS = (
    "Government of Arvenia", "Ministry of Trade of Belmora", "Republic of Costavera",
    "Tourism Board of Drasland", "Embassy of Eldmere", "Free Port of Fennwick",
    "National Bank of Galdoria", "Chamber of Commerce of Hestria", "Port Authority of Ilmar",
)
TITLES = (
    "President", "Managing Director", "Partner", "Senior Vice-President", "General Counsel",
    "Chief Financial Officer", "Director, Public Affairs", "Secretary",
)
STATIONS = (
    "WQRL", "KZTV", "WBNX", "KHOV", "WPLD", "KESM", "WVIR", "KDAQ", "WGLN", "KTWB", "WOXF", "KMLY",
)
CAMPAIGNS = (
    "Friends of Dana Holt", "Rourke for Senate", "Citizens for Clean Rivers",
    "Mendez for Governor", "Committee to Elect J. Whitfield", "Taxpayers for Better Roads",
    "Okafor for Congress", "Yes on Measure 14", "Coalition for Rural Schools", "Bray 2020",
)
AGENCIES = (
    "Beacon Media Buying", "Halfmoon Placement Inc.", "Kestrel Ad Group", "Longview Media LLC",
    "Strand & Cole", "Turnstile Communications",
)
PRODUCTS = (
    "US Senate", "Governor 2020", "Issue advertising", "Congress District 7", "Ballot measure",
    "Candidate, primary", "Candidate, general",
)
STREETS = (
    "Broadcast Plaza", "Harbor Avenue", "Television Circle", "Mill Pond Road", "Capitol Street",
    "Skyline Drive", "Orchard Boulevard", "Second Street",
)
TOWNS = (
    "Dayfield, OH 45011", "Port Amity, NC 27701", "Lake Verity, MN 55401", "Fairmount, VA 23219",
    "Cedar Point, IA 52401", "San Brisas, TX 75201", "Granite Falls, NH 03101",
)
PROGRAMS = (
    "Morning News", "Noon Report", "Evening News at Six", "Late News", "Quiz Hour",
    "Prime Movie", "Sunday Football", "Weekend Sports", "Daytime Talk", "Wheel of Words",
    "Court in Session", "Good Day Local", "Night Line-up", "Access Tonight",
)
SLOTS = ("M-F 5a-7a", "M-F 12p-1p", "Su 1p-4p", "M-Su 6p-7p", "Sa 8p-10p", "M-F 11p-11:30p")
CHANNELS = ("Ch 4", "Ch 7", "Ch 9.1", "Ch 11", "Ch 13.2")
