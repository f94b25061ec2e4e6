use retry::Transient;

#[derive(Transient)]
union Either {
    code: u32,
    status: u16,
}

fn main() {}
