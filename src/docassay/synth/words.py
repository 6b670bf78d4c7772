"""Words of generated documents: people, places, trades and what they sell.

Every firm is made up; suburbs and postcodes are public geography.
"""

from __future__ import annotations

from typing import NamedTuple


class Trade(NamedTuple):
    """A line of business: what its firms are called, what they sell and in which variants."""

    nouns: tuple[str, ...]
    products: tuple[tuple[str, int, int], ...]
    """Description with the lowest and the highest price in dollars."""
    variants: tuple[str, ...]
    hourly: bool = False
    """Sold by the quarter of an hour."""


# fmt: off

GIVEN = (
    "Amelia", "Anh", "Arjun", "Beatrix", "Callum", "Chiara", "Declan", "Elif", "Esther", "Farid",
    "Grace", "Hamish", "Ines", "Isaac", "Jarrah", "Jun", "Kirra", "Leila", "Lorenzo", "Mei",
    "Mirela", "Nikhil", "Oscar", "Priya", "Quentin", "Rosa", "Samuel", "Tallulah", "Tomasz",
    "Yara",
)
FAMILY = (
    "Abernethy", "Bertolini", "Blackwood", "Chandra", "Costigan", "Dimitriou", "Doyle", "Ellery",
    "Fairweather", "Goh", "Haddad", "Holloway", "Ibrahim", "Jankowski", "Kuznets", "Larkin",
    "Mahoney", "Marchetti", "Nakamura", "Nguyen", "O'Rourke", "Okonjo", "Papas", "Quigley",
    "Rasmussen", "Silbermann", "Tran", "Underwood", "Vasquez", "Whitlock", "Yilmaz", "Zammit",
)
FIRM_NAMES = (
    "Tallow & Reed", "Quandong Lane", "Saltmarsh Nine", "Copper Wren", "Ninebark", "Old Jetty",
    "Emberfold", "Paperbark Row", "Lanternfish", "Gilgai Creek", "Brolga & Daughters",
    "Stillwater", "Mallee Cross", "Harrow Bend", "Tin Kettle", "Wattlecombe", "Bellbird Rise",
    "Fernhollow", "Second Harbour", "Ochre Mile", "Kurrajong Park", "Silverquill",
    "Dunmore Street", "Pepperina",
)
LEGAL_FORMS = (
    " Pty Ltd", " Pty Ltd", " Pty Ltd", "", " Ltd", " & Co",
)
STREETS = (
    "Acacia Avenue", "Albion Street", "Beacon Road", "Bridge Street", "Cascade Parade",
    "Commercial Road", "Cotter Lane", "Dockside Drive", "Elgin Street", "Ferry Road",
    "Foundry Lane", "Garden Crescent", "Harvest Way", "Hillview Terrace", "Jacaranda Court",
    "King Street", "Lighthouse Road", "Mill Lane", "Observatory Place", "Orchard Street",
    "Quarry Road", "Railway Parade", "Station Street", "Vineyard Close", "Wharf Street",
)
PLACES = (
    "Adelaide SA 5000", "Alice Springs NT 0870", "Ballarat VIC 3350", "Bendigo VIC 3550",
    "Broome WA 6725", "Brunswick VIC 3056", "Cairns QLD 4870", "Carlton VIC 3053",
    "Dubbo NSW 2830", "Fitzroy VIC 3065", "Fremantle WA 6160", "Geelong VIC 3220",
    "Glenelg SA 5045", "Hobart TAS 7000", "Launceston TAS 7250", "Manly NSW 2095",
    "Newtown NSW 2042", "Orange NSW 2800", "Parramatta NSW 2150", "Subiaco WA 6008",
    "Toowoomba QLD 4350", "Wagga Wagga NSW 2650", "West End QLD 4101", "Wollongong NSW 2500",
)
ABROAD = (
    ("Feldmark Werkzeugbau GmbH", "Lindenstraße 48, 70173 Stuttgart, Germany"),
    ("Atelier Brumevent SARL", "12 rue des Tanneurs, 59000 Lille, France"),
    ("Nordlys Værktøj ApS", "Havnegade 31, 5000 Odense C, Denmark"),
    ("Kawasemi Seiki K.K.", "3-14-8 Nishiki, Naka-ku, Nagoya 460-0003, Japan"),
    ("Pōhutukawa Outdoor Limited", "205 Tory Street, Wellington 6011, New Zealand"),
    ("Bramblegate Instruments Ltd", "Unit 7, Mill Road, Sheffield S3 8GG, United Kingdom"),
    ("Cordillera Textil S.A.", "Av. Los Aromos 1420, Santiago, Chile"),
    ("Juniper Falls Software Inc.", "880 Cedar Street, Portland, OR 97205, USA"),
)

_SIZES = (
    "15 mm", "20 mm", "25 mm", "32 mm", "40 mm", "50 mm", "80 mm", "100 mm",
)
_COLOURS = (
    "black", "blue", "charcoal", "green", "ivory", "red", "silver", "white", "yellow",
)
_WORKS = (
    "stage 1", "stage 2", "north wing", "ground floor", "level 3", "after hours", "on site",
    "remote", "workshop", "follow-up",
)
_SERVINGS = (
    "small", "regular", "large", "takeaway", "gluten free", "to share",
)
_PACKS = (
    "250 g", "500 g", "1 kg", "2 pack", "6 pack", "12 pack", "family size", "value pack",
)

PLUMBING = Trade(
    ("Plumbing Supplies", "Pipe & Pump", "Drainage"),
    (
        ("Copper elbow", 4, 12), ("PVC pressure pipe", 6, 40), ("Brass ball valve", 14, 70),
        ("Flexible hose connector", 9, 26), ("Cistern inlet kit", 18, 44),
        ("Pipe clamp galvanised", 2, 8), ("Press fit coupling", 5, 19),
        ("Backflow preventer", 60, 310), ("Floor waste grate", 15, 48),
        ("Thermostatic mixing valve", 85, 240), ("Sealing ring set", 3, 11),
    ),
    _SIZES,
)
OFFICE = Trade(
    ("Stationers", "Office Supplies", "Paper Merchants"),
    (
        ("Lever arch file A4", 4, 9), ("Copy paper ream", 6, 14), ("Gel pen box", 12, 30),
        ("Desk lamp", 35, 120), ("Mesh office chair", 140, 520), ("Toner cartridge", 65, 260),
        ("Whiteboard marker set", 9, 22), ("Document tray", 11, 28),
        ("Filing cabinet", 180, 640), ("Monitor arm", 75, 210), ("Notebook ruled", 5, 18),
    ),
    _COLOURS,
)
HARDWARE = Trade(
    ("Hardware", "Timber & Fixings", "Tool Shed"),
    (
        ("Hex bolt zinc", 1, 6), ("Treated pine sleeper", 18, 52), ("Cordless drill", 120, 390),
        ("Masonry bit", 6, 25), ("Decking screws", 14, 46), ("Sandpaper roll", 8, 24),
        ("Exterior primer", 45, 110), ("Angle bracket", 2, 9), ("Chain by the metre", 5, 17),
        ("Work gloves leather", 9, 32), ("Storage hook", 3, 13),
    ),
    (*_SIZES, "trade pack"),
)
CAFE = Trade(
    ("Café", "Espresso Bar", "Bakehouse"),
    (
        ("Flat white", 4, 6), ("Long black", 4, 6), ("Chai latte", 5, 7),
        ("Banana bread toasted", 6, 9), ("Smashed avocado on rye", 16, 24),
        ("Mushroom omelette", 18, 26), ("Lamington", 5, 8), ("Fresh orange juice", 7, 10),
        ("Pumpkin soup", 13, 19), ("Ricotta hotcakes", 17, 25),
    ),
    _SERVINGS,
)
GROCER = Trade(
    ("Grocer", "Food Hall", "Provedore"),
    (
        ("Basmati rice", 4, 16), ("Rolled oats", 3, 9), ("Free range eggs", 6, 13),
        ("Olive oil", 11, 38), ("Macadamia nuts roasted", 9, 34), ("Vine tomatoes", 4, 12),
        ("Cheddar vintage", 7, 22), ("Sourdough loaf", 6, 11), ("Finger lime jam", 8, 15),
        ("Dark chocolate block", 4, 12), ("Washing powder", 8, 29),
    ),
    _PACKS,
)
NURSERY = Trade(
    ("Nursery", "Garden Centre", "Landscapes"),
    (
        ("Bottlebrush seedling", 5, 18), ("Kangaroo paw", 9, 29), ("Potting mix premium", 8, 21),
        ("Terracotta pot", 12, 88), ("Drip irrigation line", 15, 60),
        ("Lemon myrtle tree", 25, 140), ("Sugar cane mulch", 10, 24),
        ("Slow release fertiliser", 13, 42), ("Garden edging steel", 22, 75),
    ),
    ("140 mm", "200 mm", "300 mm", "5 L", "10 L", "25 L", "advanced", "tube stock"),
)
COMPUTING = Trade(
    ("IT Services", "Software", "Networks"),
    (
        ("Network support labour", 110, 180), ("Server migration planning", 140, 220),
        ("Firewall configuration review", 130, 210), ("Help desk labour", 80, 120),
        ("Database tuning", 150, 240), ("Staff training session", 95, 160),
        ("Backup verification", 90, 140), ("Website maintenance", 85, 150),
        ("Data entry clean-up", 55, 90),
    ),
    _WORKS,
    hourly=True,
)
CONSULTING = Trade(
    ("Consulting Engineers", "Accountants", "Conveyancing", "Design Studio"),
    (
        ("Structural inspection", 160, 260), ("Bookkeeping labour", 60, 95),
        ("Site survey", 140, 230), ("Drafting of plans", 100, 170),
        ("Contract review", 190, 320), ("Project management", 120, 200),
        ("Soil report preparation", 130, 220), ("Photography", 90, 180),
        ("Logo concept work", 95, 190),
    ),
    _WORKS,
    hourly=True,
)
TRADES = (PLUMBING, OFFICE, HARDWARE, NURSERY, COMPUTING, CONSULTING)
SHOPS = (CAFE, GROCER, HARDWARE, OFFICE, NURSERY)

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)
REDUCTIONS = (
    "Loyalty discount", "Trade discount", "Returned goods credit", "Early payment rebate",
)
PAYMENTS = (
    ("Card purchase {firm}", 4, 260), ("Direct debit {service}", 30, 420),
    ("Bill payment {service}", 45, 600), ("Transfer to {person}", 20, 1500),
    ("Cash withdrawal {place}", 20, 400), ("Standing order rent {person}", 900, 3200),
)
RECEIPTS = (
    ("Salary {firm}", 1400, 5200), ("Transfer from {person}", 20, 1800),
    ("Refund {firm}", 10, 320), ("Credit interest", 1, 60), ("Cash deposit {place}", 50, 2500),
)
SERVICES = (
    "Ridgeline Energy", "Clearbrook Water", "Farlight Internet", "Juno Mobile",
    "Hearth Insurance", "Velo Gym", "Northgate Council Rates", "Halcyon Health Fund",
)
FALSE_ITEMS = (
    "Subtotal", "Total excluding GST", "Freight and handling", "Card surcharge", "Amount due",
    "GST 10%",
)
FALSE_TRANSACTIONS = (
    "Opening balance", "Closing balance", "Balance carried forward", "Total withdrawals",
)
STRAY_TEXTS = (
    "Page 1 of 2", "Tax invoice", "Ph 03 5550 0142", "Thank you for your business", "Deliver to",
    "Ref 20817", "(copy)", "Payment terms 14 days",
)
